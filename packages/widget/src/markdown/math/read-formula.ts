/**
 * A formula without its delimiters; `undefined` if the closing one is missing. Punctuation after it belongs to it, as in print.
 *
 * @example
 * readFormula("$$x$$.") // { tex: "x.", isDisplay: true }
 * readFormula("\\(x\\)") // { tex: "x", isDisplay: false }
 * readFormula("$`x`$") // the same: GitHub writes it so
 * readFormula("$$x") // undefined
 */
export function readFormula(source: string): { readonly tex: string; readonly isDisplay: boolean } | undefined {
  const [, inDollars, inBrackets, after = ""] = /^(?:\$\$([^]*)\$\$|\\\[([^]*)\\\])([.,;:]?)\s*$/.exec(source) ?? [];
  const display = inDollars ?? inBrackets;
  if (display !== undefined) return { tex: display + after, isDisplay: true };
  const [, inTicks, inDollar, inParentheses] = /^(?:\$(?:`([^]*)`|([^]*))\$|\\\(([^]*)\\\))$/.exec(source) ?? [];
  const tex = inTicks ?? inDollar ?? inParentheses;
  return tex === undefined || source.startsWith("$$") ? undefined : { tex, isDisplay: false };
}
