/** A piece of a file, and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The code after all edits, with as many lines as before. An edit inside of what another one replaces does not count.
 *
 * @example applyEdits("f(\n1)", [{ start: 0, end: 5, text: "g" }]) // "g\n"
 */
export function applyEdits(code: string, ...edits: readonly (readonly Edit[])[]): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  // The longest of those with the same start replaces the others.
  const ordered = edits.flat().toSorted((a, b) => a.start - b.start || orderOf(a) - orderOf(b));
  for (const { start, end, text } of ordered) {
    if (start < copiedTo) continue;
    const lines = code.slice(start, end).split("\n").length - 1;
    pieces.push(code.slice(copiedTo, start), text, "\n".repeat(lines));
    copiedTo = end;
  }
  return pieces.join("") + code.slice(copiedTo);
}

/** Insertions come first: they belong to what stands before or around their place. */
function orderOf({ start, end }: Edit): number {
  return start === end ? -Number.MAX_VALUE : -end;
}
