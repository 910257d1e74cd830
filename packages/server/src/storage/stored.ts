import type { Message, Thread } from "@nitka/protocol";

/**
 * A visitor of a project. Every method that a visitor's request can reach takes an owner, so that no query can forget
 * to filter by it.
 */
export interface Owner {
  readonly projectId: string;
  readonly visitorId: string;
}

/**
 * Work on an unknown number of rows, part by part: each iteration does one part and yields the number of its rows.
 * Nothing happens before the first iteration. The caller decides what runs between two parts, and may stop after any.
 */
export type Parts = AsyncIterable<number>;

/** The tokens of requests to a model. */
export interface Tokens {
  /** The tokens sent, including those that the upstream had cached. */
  readonly inputTokens: number;
  /** The part of `inputTokens` that the upstream had cached. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** A thread with the fields that decide about its title and its shown branch. */
export interface StoredThread extends Thread {
  /** Who set the title. A title by the model never replaces a title by the visitor. */
  readonly titledBy?: "visitor" | "model";
  /** The message from which the shown branch is found (see `headBelow`). */
  readonly headId?: string;
}

/** The place of a message in its thread, and its size. */
export interface MessageNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Message["role"];
  /** The size of the stored content and attachments in bytes. */
  readonly bytes: number;
}

/** The state of a thread that decides about a question. */
export interface ThreadStanding {
  readonly thread: StoredThread;
  /** The latest run of the question, if it was sent before. */
  readonly asked?: StoredRun;
  /** The run in progress. */
  readonly running?: StoredRun;
}

/** A run to begin. */
export interface NewRun {
  readonly runId: string;
  readonly threadId: string;
  readonly questionId: string;
  readonly answerId: string;
  readonly instanceId: string;
}

/** A run as it is stored. */
export interface StoredRun extends NewRun {
  readonly status: "running" | "complete" | "incomplete";
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The `seq` of the last event in the answer's last checkpoint; 0 before the first checkpoint. */
  readonly checkpointSeq: number;
  /** The requested model; after the end, the model that wrote the answer. */
  readonly modelId?: string;
  /** The tokens of the answer, after its end. */
  readonly tokens?: Tokens;
}

/** The running run of a thread. */
export interface FoundRun extends StoredRun {
  /** The title of the thread. */
  readonly threadTitle?: string;
}

/** What the readers of a run get at its end. */
export interface StoredEnd extends Pick<Message, "status" | "suggestions"> {
  /** Whether the answer has no content. */
  readonly isEmpty: boolean;
  /** The title of the thread. */
  readonly title?: string;
}

/** Figures of a run that only the instance that wrote it knows. */
export interface EndFigures {
  /** Milliseconds from the question to the answer's first text; absent when the answer had no text. */
  readonly firstTokenMs?: number;
  /** The number of times a reader rejoined the run while it was being written. */
  readonly rejoins: number;
}
