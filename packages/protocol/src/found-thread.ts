import type { Thread } from "./bodies.ts";

/** The most characters, in Unicode code points, of what threads are searched by: `GET …/threads?query=`. */
export const MAX_QUERY_CHARS = 200;

/** The most UTF-16 units of a `match`. */
export const MAX_MATCH_CHARS = 200;

/** A thread that a search has found. */
export interface FoundThread extends Thread {
  /** Where messages have words of the search: plain text around them, of at most `MAX_MATCH_CHARS`. */
  readonly match?: string;
}
