import type { Thread } from "./bodies.ts";

/** The most characters, in Unicode code points, of a search query: `GET …/threads?query=`. */
export const MAX_QUERY_CHARS = 200;

/** The most UTF-16 code units of a `match`. */
export const MAX_MATCH_CHARS = 200;

/** A thread that a search has found. */
export interface FoundThread extends Thread {
  /** An excerpt of a message that contains words of the search: plain text of at most `MAX_MATCH_CHARS`. */
  readonly match?: string;
}
