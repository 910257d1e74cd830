/** The code for formulas: a chunk that only answers with formulas load. */
export { showFormula } from "./show-formula.ts";
export { createMathSyntax } from "./math-syntax.ts";
