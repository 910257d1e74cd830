import { expect, test } from "vitest";
import { readFormula } from "./read-formula.ts";

test.for([
  ["$x^2$", { tex: "x^2", isDisplay: false }],
  // GitHub's syntax.
  ["$`x^2`$", { tex: "x^2", isDisplay: false }],
  ["$`a`b`$", { tex: "a`b", isDisplay: false }],
  // A TeX quotation mark that nothing closes.
  ["$`x$", { tex: "`x", isDisplay: false }],
  ["\\(x\\)", { tex: "x", isDisplay: false }],
  ["$$x$$.", { tex: "x.", isDisplay: true }],
  ["\\[x\\]", { tex: "x", isDisplay: true }],
  ["$$x", undefined],
  ["\\(x", undefined],
] as const)("%s is read as %o", ([source, formula]) => {
  expect(readFormula(source)).toEqual(formula);
});
