import type { FootnoteDefinition, FootnoteReference } from "mdast";
import { mentionsIn } from "./references.ts";

/** The footnotes of an answer, numbered by their first mention. */
export interface Footnotes {
  readonly numbers: ReadonlyMap<string, number>;
  /** The first mention of each: where its way back leads. */
  readonly firsts: ReadonlySet<FootnoteReference>;
  /** Those that are mentioned and defined, in the order of their numbers. */
  readonly notes: readonly FootnoteDefinition[];
}

export const noFootnotes: Footnotes = { numbers: new Map(), firsts: new Set(), notes: [] };

/**
 * Numbers footnotes as GitHub does: by the order of first mention in the text, then of mentions within the footnotes.
 *
 * @param references those of the text in its order
 */
export function numberFootnotes(
  references: readonly FootnoteReference[],
  definitionOf: (label: string) => FootnoteDefinition | undefined,
): Footnotes {
  if (references.length === 0) return noFootnotes;
  const numbers = new Map<string, number>();
  const firsts = new Set<FootnoteReference>();
  const notes: FootnoteDefinition[] = [];
  const queue = [...references];
  for (const reference of queue) {
    if (numbers.has(reference.identifier)) continue;
    numbers.set(reference.identifier, numbers.size + 1);
    firsts.add(reference);
    const note = definitionOf(reference.identifier);
    if (!note) continue;
    notes.push(note);
    queue.push(...mentionsIn(note.children).footnoteReferences);
  }
  return { numbers, firsts, notes };
}

/** Whether two ways of numbering show the same. */
export function sameFootnotes(one: Footnotes, other: Footnotes): boolean {
  return (
    one.numbers.size === other.numbers.size &&
    one.notes.length === other.notes.length &&
    one.notes.every((note, index) => note === other.notes[index]) &&
    [...one.firsts].every((reference) => other.firsts.has(reference)) &&
    [...one.numbers].every(([label, number]) => other.numbers.get(label) === number)
  );
}
