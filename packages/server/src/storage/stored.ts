import type { Message, Thread } from "@nitka/protocol";

/**
 * A visitor of a project. Every method that a visitor's request can reach takes an owner, so that no query can forget to
 * filter by it.
 */
export interface Owner {
  readonly projectId: string;
  readonly visitorId: string;
}

/**
 * Work on rows whose number is unknown, a part at a time: each iteration does one part and yields how many rows it was
 * about. Nothing is done before the first. The caller decides what runs between two parts, and may stop after any.
 */
export type Parts = AsyncIterable<number>;

/** Tokens of requests to a model. */
export interface Tokens {
  /** Tokens sent, including those from the upstream's cache. */
  readonly inputTokens: number;
  /** Those of `inputTokens` that came from the upstream's cache. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** A thread with what decides about its title and its shown branch. */
export interface StoredThread extends Thread {
  /** Who gave the title. A model's never replaces a visitor's. */
  readonly titledBy?: "visitor" | "model";
  /** The message that the branch to show is found by (see `headBelow`). */
  readonly headId?: string;
}

/** The place of a message in its thread, and its size. */
export interface MessageNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Message["role"];
  /** Bytes of the stored content and attachments. */
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

/** A run that is to begin. */
export interface NewRun {
  readonly runId: string;
  readonly threadId: string;
  readonly questionId: string;
  readonly answerId: string;
  readonly instanceId: string;
}

/** A run as the storage has it. */
export interface StoredRun extends NewRun {
  readonly status: "running" | "complete" | "incomplete";
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The `seq` of the last event in the answer's last checkpoint; 0 before the first one. */
  readonly checkpointSeq: number;
  /** The requested model; after the end, the one that wrote the answer. */
  readonly modelId?: string;
  /** The tokens of the answer, once it has ended. */
  readonly tokens?: Tokens;
}

/** A running run as it is found in its thread. */
export interface FoundRun extends StoredRun {
  /** The title of the thread. */
  readonly threadTitle?: string;
}

/** What the readers of a run are told at its end. */
export interface StoredEnd extends Pick<Message, "status" | "suggestions"> {
  /** Whether the answer has no content. */
  readonly isEmpty: boolean;
  /** The title of the thread. */
  readonly title?: string;
}

/** What only the instance that wrote a run knows of it. */
export interface EndFigures {
  /** Milliseconds from the question to the answer's first text; absent where there was none. */
  readonly firstTokenMs?: number;
  /** How often a reader joined the run while it was written. */
  readonly rejoins: number;
}
