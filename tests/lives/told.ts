/** What the server has told a visitor. The verdict compares it with the stored data. */
import type { Attachment } from "@nitka/protocol";

export interface ToldQuestion {
  readonly id: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly files: readonly Attachment[];
  /** Whether the response was 200, so that the history must contain the question. */
  isAcknowledged: boolean;
  /** The number of requests that may have begun a run beside the first one. */
  regenerations: number;
}

/** An answer as a page has read it, from its first event on. */
export interface ToldAnswer {
  readonly id: string;
  text: string;
  /** How its stream has ended; `undefined` while it is being read, or if it broke. */
  end: "finish" | "error" | "abort" | undefined;
}

export interface ToldThread {
  readonly id: string;
  /** `maybe`: the request got no response. */
  archived: "no" | "maybe" | "yes";
  /** Every title that the visitor has sent. */
  readonly titles: Set<string>;
  /** The last confirmed title, unless a later one may have arrived. */
  title: string | undefined;
  readonly questions: Map<string, ToldQuestion>;
  readonly answers: ToldAnswer[];
  /** The ids of its files: confirmed uploads, and pictures of answers that a page has read. */
  readonly files: Set<string>;
  /** Uploads that no question has used yet. */
  unsent: readonly Attachment[];
}

/** Everything that one visitor was told since they came, or since they were erased. */
export interface Told {
  readonly threads: Map<string, ToldThread>;
  /** A request without a response. Until it is repeated, the state of the threads is unknown. */
  unsettled: "claim" | "erase" | undefined;
}

export function newTold(): Told {
  return { threads: new Map(), unsettled: undefined };
}

export function newToldThread(id: string): ToldThread {
  const nothing = { titles: new Set<string>(), title: undefined, questions: new Map<string, ToldQuestion>() };
  return { id, archived: "no", ...nothing, answers: [], files: new Set(), unsent: [] };
}
