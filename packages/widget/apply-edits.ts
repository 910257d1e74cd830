/** A piece of a file, and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies all edits to the code, which keeps its number of lines. An edit inside the piece that another one replaces is
 * ignored.
 *
 * @example applyEdits("f(\n1)", [{ start: 0, end: 5, text: "g" }]) // "g\n"
 */
export function applyEdits(code: string, ...edits: readonly (readonly Edit[])[]): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  // If several edits have the same start, the longest one replaces the others.
  const ordered = edits.flat().toSorted((a, b) => a.start - b.start || orderOf(a) - orderOf(b));
  for (const { start, end, text } of ordered) {
    if (start < copiedTo) continue;
    const lines = code.slice(start, end).split("\n").length - 1;
    pieces.push(code.slice(copiedTo, start), text, "\n".repeat(lines));
    copiedTo = end;
  }
  return pieces.join("") + code.slice(copiedTo);
}

/** Insertions come first, because they belong to the code before or around their place. */
function orderOf({ start, end }: Edit): number {
  return start === end ? -Number.MAX_VALUE : -end;
}
