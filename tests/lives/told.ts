/** What a visitor was told by the server: the verdict compares it with what is stored. */
import type { Attachment } from "@nitka/protocol";

export interface ToldQuestion {
  readonly id: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly files: readonly Attachment[];
  /** A response of 200 came: the question must be in the history. */
  isAcknowledged: boolean;
  /** How many requests may have begun a run beside the first one. */
  regenerations: number;
}

/** An answer as a page has read it, from its first event on. */
export interface ToldAnswer {
  readonly id: string;
  text: string;
  /** How its stream has ended; `undefined` while it is read, and where it broke off. */
  end: "finish" | "error" | "abort" | undefined;
}

export interface ToldThread {
  readonly id: string;
  /** `maybe`: the request had no answer. */
  archived: "no" | "maybe" | "yes";
  /** Every title that the visitor has sent. */
  readonly titles: Set<string>;
  /** The last one that was confirmed, as long as no later one may have arrived. */
  title: string | undefined;
  readonly questions: Map<string, ToldQuestion>;
  readonly answers: ToldAnswer[];
  /** The ids of its files: uploads that were confirmed, and pictures of answers that a page has read. */
  readonly files: Set<string>;
  /** Uploads that no question has taken yet. */
  unsent: readonly Attachment[];
}

/** Everything that one visitor was told since they came, or since they were erased. */
export interface Told {
  readonly threads: Map<string, ToldThread>;
  /** A request without an answer, which makes the fate of the threads unknown until it is made again. */
  unsettled: "claim" | "erase" | undefined;
}

export function newTold(): Told {
  return { threads: new Map(), unsettled: undefined };
}

export function newToldThread(id: string): ToldThread {
  const nothing = { titles: new Set<string>(), title: undefined, questions: new Map<string, ToldQuestion>() };
  return { id, archived: "no", ...nothing, answers: [], files: new Set(), unsent: [] };
}
