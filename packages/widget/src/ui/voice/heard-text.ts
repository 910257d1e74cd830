import type { HeardResults } from "../../browser/speech-recognition.ts";

/** The place in a draft where dictated text goes. */
export interface DictationPlace {
  readonly before: string;
  /** The selected text, which the first word replaces. */
  readonly selected: string;
  readonly after: string;
}

/** A draft with the position of its caret. */
interface CaretText {
  readonly text: string;
  readonly caret: number;
}

/**
 * Everything that has been heard. Chrome on Android repeats earlier results in each result: a result that begins like the
 * previous one replaces it. Elsewhere a result that follows another begins with a space.
 */
export function heardText(results: HeardResults): string {
  let text = "";
  let last = "";
  for (const result of Array.from(results)) {
    const transcript = result[0]?.transcript ?? "";
    const kept = last !== "" && transcript.startsWith(last) ? text.slice(0, text.length - last.length) : text;
    const needsSpace = /\S$/.test(kept) && /^\S/.test(transcript);
    text = kept + (needsSpace ? " " : "") + transcript;
    last = transcript;
  }
  return text.trim();
}

/**
 * The text that has been heard since the visitor last edited the draft by hand.
 *
 * @param settled the text and the number of results by then
 */
export function heardSince(
  results: HeardResults,
  settled: { readonly text: string; readonly results: number },
): string {
  const text = heardText(results);
  if (text.startsWith(settled.text)) return text.slice(settled.text.length).trim();
  // The browser has revised its guess. The visitor's own edit stays.
  return heardText(Array.from(results).slice(settled.results));
}

/** The draft with the heard text inserted, separated from the words around it. */
export function placeHeard({ before, selected, after }: DictationPlace, heard: string): CaretText {
  if (heard === "") return { text: before + selected + after, caret: (before + selected).length };
  const start = /[^\s([{«„“"'/]$/.test(before) ? `${before} ${heard}` : before + heard;
  return { text: /^[\p{L}\p{N}([{«„“]/u.test(after) ? `${start} ${after}` : start + after, caret: start.length };
}
