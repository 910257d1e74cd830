import type { HeardResults } from "../../browser/speech-recognition.ts";

/** Where in a draft the dictated text goes. */
export interface DictationPlace {
  readonly before: string;
  /** Replaced by the first word. */
  readonly selected: string;
  readonly after: string;
}

/** A draft, and where its caret is. */
interface CaretText {
  readonly text: string;
  readonly caret: number;
}

/**
 * All that has been heard. Chrome on Android repeats with each result those before it: a result that begins like the one
 * before takes its place. Elsewhere a result that follows another one begins with a space.
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
 * What has been heard since the visitor went on by hand.
 *
 * @param settled what had been heard by then, of this many results
 */
export function heardSince(
  results: HeardResults,
  settled: { readonly text: string; readonly results: number },
): string {
  const text = heardText(results);
  if (text.startsWith(settled.text)) return text.slice(settled.text.length).trim();
  // The browser thought better of it. What the visitor has gone on with stays.
  return heardText(Array.from(results).slice(settled.results));
}

/** The draft with the heard text in its place, apart from the words around it. */
export function placeHeard({ before, selected, after }: DictationPlace, heard: string): CaretText {
  if (heard === "") return { text: before + selected + after, caret: (before + selected).length };
  const start = /[^\s([{«„“"'/]$/.test(before) ? `${before} ${heard}` : before + heard;
  return { text: /^[\p{L}\p{N}([{«„“]/u.test(after) ? `${start} ${after}` : start + after, caret: start.length };
}
