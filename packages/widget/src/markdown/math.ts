/** The code for formulas: a chunk that only answers with formulas load. */
export { showFormula } from "./formula.ts";
export { createMathSyntax } from "./math-syntax.ts";
