/**
 * The form of a word for a number, by the rules of the language.
 *
 * @example plural("ru", 3, { one: "источник", few: "источника", other: "источников" }) // "источника"
 */
export function plural(
  language: string,
  count: number,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string },
): string {
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
}
