import type { Answer } from "./folds/fold.ts";

/** A running answer without content. */
export function beginAnswer(id: string, parentId?: string | null): Answer {
  const status = { type: "running" } as const;
  return { message: { id, parentId, role: "assistant", content: [], status }, blocks: {} };
}
