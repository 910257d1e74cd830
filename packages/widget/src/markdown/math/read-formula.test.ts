import { expect, test } from "vitest";
import { readFormula } from "./read-formula.ts";

test.for([
  ["$x^2$", { tex: "x^2", isDisplay: false }],
  // As GitHub writes it.
  ["$`x^2`$", { tex: "x^2", isDisplay: false }],
  ["$`a`b`$", { tex: "a`b", isDisplay: false }],
  // A quotation mark of TeX, with nothing to close it.
  ["$`x$", { tex: "`x", isDisplay: false }],
  ["\\(x\\)", { tex: "x", isDisplay: false }],
  ["$$x$$.", { tex: "x.", isDisplay: true }],
  ["\\[x\\]", { tex: "x", isDisplay: true }],
  ["$$x", undefined],
  ["\\(x", undefined],
] as const)("%s is read as %o", ([source, formula]) => {
  expect(readFormula(source)).toEqual(formula);
});
