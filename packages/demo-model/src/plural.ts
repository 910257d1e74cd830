/**
 * The form of a Russian noun after a number.
 *
 * @example plural(3, "файл", "файла", "файлов") // "файла"
 */
export function plural(count: number, one: string, few: string, many: string): string {
  const rule = new Intl.PluralRules("ru").select(count);
  return rule === "one" ? one : rule === "few" ? few : many;
}
