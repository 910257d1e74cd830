import type { StoredPassage } from "./knowledge-store.ts";

/** A passage as its table has it. */
export interface PassageRow {
  readonly id: number;
  readonly headings: string;
  readonly anchor: string | null;
  readonly text: string;
}

export function passageOf({ headings, anchor, text }: PassageRow): StoredPassage {
  return { headings: JSON.parse(headings) as readonly string[], ...(anchor === null ? {} : { anchor }), text };
}
