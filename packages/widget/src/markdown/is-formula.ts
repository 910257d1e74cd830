/** What in a text may be a formula. Cheap: it runs over the tail of every answer, before the code for formulas is loaded. */

/**
 * Whether what stands between delimiters is a formula. Words are none, unless a TeX command is among them. Before this
 * `math-syntax.ts` has rejected a dollar beside a letter, a digit or another dollar: «$HOME/$USER», «US$5».
 *
 * @param inDollars it stands between single dollars, and could be a price
 *
 * @example
 * isFormula("x^2", true) // true
 * isFormula("5 и 10", true) // false
 * isFormula("v = \\text{путь}", false) // true
 */
export function isFormula(content: string, inDollars: boolean): boolean {
  if (content.trim() === "") return false;
  if (/\\[a-z]/i.test(content)) return true;
  // Words: letters of another script than formulas use, or two words of some length.
  if (/(?![\p{Script=Latin}\p{Script=Greek}])\p{L}|[a-z]{3,}\s+[a-z]{3,}/iu.test(content)) return false;
  // «$5 – 10$» has a price at each end.
  return !inDollars || !/^\d[\d.,]*\s/.test(content) || /[-=+*/^_<>{}]/.test(content);
}

/** `\(`, `\[` and `$$` anywhere, and a `$…$` on one line. */
const anyFormula = /\\[([]|\$\$|(?<![\w$\\])\$(?!\s)((?:[^\n\r$\\]|\\[^\n\r])+)(?<!\s)\$(?![\w$])/g;

/**
 * Whether a text may hold a formula. Prices and names of shell variables are none.
 *
 * @example
 * mayHoldFormula("Площадь \\(x^2\\)") // true
 * mayHoldFormula("$x$ и $y$") // true
 * mayHoldFormula("$5 и $10, $HOME и ${PATH}") // false
 */
export function mayHoldFormula(text: string): boolean {
  for (const [, inDollars] of text.matchAll(anyFormula)) {
    if (inDollars === undefined || isFormula(inDollars, true)) return true;
  }
  return false;
}
