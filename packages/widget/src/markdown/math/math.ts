/** The code for formulas. It is a chunk that loads only with answers that contain formulas. */
export { showFormula } from "./show-formula.ts";
export { createMathSyntax } from "./math-syntax.ts";
