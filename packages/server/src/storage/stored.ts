import type { Message, Thread } from "@nitka/protocol";
import type { Tokens } from "./usage.ts";

export interface StoredThread extends Thread {
  /** Who gave the title: a visitor's is never replaced by a model's. */
  readonly titledBy?: "visitor" | "model";
  /** The end of the branch to show. */
  readonly headId?: string;
}

/** Where a message stands in its thread, and how large it is. */
export interface MessageNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Message["role"];
  /** Bytes of its content and attachments as they are stored. */
  readonly bytes: number;
}

/** What a question meets in its thread. */
export interface ThreadStanding {
  readonly thread: StoredThread;
  /** The latest run of the question itself: it was asked before. */
  readonly asked?: StoredRun;
  /** The run in progress. */
  readonly running?: StoredRun;
  /** Bytes of the thread's attachments. */
  readonly fileBytes: number;
}

/** A run as its caller begins it. */
export interface NewRun {
  readonly runId: string;
  readonly threadId: string;
  readonly questionId: string;
  readonly answerId: string;
  readonly instanceId: string;
}

export interface StoredRun extends NewRun {
  readonly status: "running" | "complete" | "incomplete";
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The last event that the answer's last checkpoint covers; 0 before the first. */
  readonly checkpointSeq: number;
  /** The model that was asked; at the end the one that answered. */
  readonly modelId?: string;
  /** What the answer took, once it has ended. */
  readonly tokens?: Tokens;
}
