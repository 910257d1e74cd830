/**
 * Finds possible formulas in a text. It is cheap, because it runs over the tail of every answer before the code for formulas is
 * loaded.
 */

/**
 * The place of a formula. `dollars`: between single dollars, where it could be a price. `line`: between `\[` and `\]` or double
 * dollars inside a line, where it could be a citation or a choice. `apart`: in `\(…\)` or on lines of its own, apart from
 * words.
 */
export type FormulaPlace = "dollars" | "line" | "apart";

const command = /\\[a-z]{2}/i;

/**
 * A mathematical sign, or an operator between two operands. `-` and `/` need spaces, because without them they join words:
 * `a-z`, `I/O`.
 */
const mathSign = /[\^_=]|(?:(?<![a-z])[a-z]|[\d)}])(?:\s*[+*<>×·÷±≤≥]\s*|\s+[-−/]\s+)(?:[a-z](?![a-z])|[\d({\\])/iu;

/**
 * Whether the text between delimiters is a formula. Words are not, unless there is a TeX command among them. Before this,
 * `math-syntax.ts` has rejected a dollar beside a letter, a digit or another dollar: «$HOME/$USER», «US$5».
 *
 * @example
 * isFormula("x^2", "dollars") // true
 * isFormula("5 и 10", "dollars") // false
 * isFormula("1", "line") // false
 * isFormula("v = \\text{путь}", "apart") // true
 */
export function isFormula(content: string, place: FormulaPlace): boolean {
  if (content.trim() === "") return false;
  if (command.test(content)) return true;
  // Words are letters of scripts that formulas do not use, or two words of some length. Regular expressions contain commands
  // such as `\d`.
  if (/(?![\p{Script=Latin}\p{Script=Greek}])\p{L}|[a-z]{3,}[\s|]+[a-z]{3,}|\\[a-z]/iu.test(content)) return false;
  if (place === "line") return mathSign.test(content) && !/^[;,]/.test(content);
  // «$5 – 10$» has a price at each end.
  return place === "apart" || !/^\d[\d.,]*\s/.test(content) || /[-=+*/^_<>{}]/.test(content);
}

/** `\(`, `\[` and `$$` anywhere, and a `$…$` on one line. */
const anyFormula = /\\[([]|\$\$|(?<![\w$\\])\$(?!\s)((?:[^\n\r$\\]|\\[^\n\r])+)(?<!\s)\$(?![\w$])/g;

/**
 * Whether a text may contain a formula. Prices and names of shell variables do not count.
 *
 * @example
 * mayHoldFormula("Площадь \\(x^2\\)") // true
 * mayHoldFormula("$x$ и $y$") // true
 * mayHoldFormula("$5 и $10, $HOME и ${PATH}") // false
 */
export function mayHoldFormula(text: string): boolean {
  for (const [, inDollars] of text.matchAll(anyFormula)) {
    if (inDollars === undefined || isFormula(inDollars, "dollars")) return true;
  }
  return false;
}
