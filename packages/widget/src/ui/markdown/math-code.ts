import { isFormula } from "../../markdown/math/is-formula.ts";
import type { MathSyntax } from "../../markdown/math/math-node.ts";
import { loadChunk } from "../../load-chunk.ts";

export interface MathCode {
  readonly syntax: MathSyntax;
  readonly showFormula: (place: HTMLElement, source: string) => void;
}

const load = loadChunk(() => import("../../markdown/math/math.ts"));

/** Set once the code has loaded, so that a text that is mounted later has its formulas in its first render. */
let loaded: MathCode | undefined;

/** The code for formulas, once `loadMath` has resolved. */
export function mathCode(): MathCode | undefined {
  return loaded;
}

export async function loadMath(): Promise<MathCode> {
  const { createMathSyntax, showFormula } = await load();
  return (loaded ??= {
    syntax: createMathSyntax(isFormula),
    showFormula,
  });
}
