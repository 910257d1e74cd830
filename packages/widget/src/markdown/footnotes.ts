import type { FootnoteDefinition, FootnoteReference } from "mdast";
import { mentionsIn } from "./references.ts";

/** The footnotes of a text. */
export interface Footnotes {
  /** By label. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The first reference to each footnote, to which the footnote's back link leads. */
  readonly firsts: ReadonlySet<FootnoteReference>;
  /** The footnotes that are both referenced and defined, in the order of their numbers. */
  readonly notes: readonly FootnoteDefinition[];
}

/** The footnotes of a text without any. It is one object, so that comparing by identity works. */
export const noFootnotes: Footnotes = { numbers: new Map(), firsts: new Set(), notes: [] };

/**
 * Numbers footnotes as GitHub does: by their first reference in the text, then by references inside footnotes.
 *
 * @param references the references outside footnotes, in the order of the text
 *
 * @example
 * // "A[^b] and[^a].\n\n[^a]: see[^c]\n[^b]: bee\n[^c]: sea"
 * numbers // b → 1, a → 2, c → 3
 */
export function numberFootnotes(
  references: readonly FootnoteReference[],
  definitionOf: (label: string) => FootnoteDefinition | undefined,
): Footnotes {
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

/** Whether both look the same: they have the same references, and therefore the same numbers, and the same notes. */
export function sameFootnotes(one: Footnotes, other: Footnotes): boolean {
  const nodes = [...one.firsts, ...one.notes];
  const others = [...other.firsts, ...other.notes];
  return nodes.length === others.length && nodes.every((node, index) => node === others[index]);
}
