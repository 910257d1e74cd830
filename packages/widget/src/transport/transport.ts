import type { Attachment, FeedbackRequest, Message, RunRequest, Thread, ToolAnswer } from "@nitka/protocol";
import type { StreamFrame } from "@nitka/protocol/read-stream";

/**
 * A run's events with their ids. It returns `true` after the stream's `[DONE]`, and `false` if the stream closed without it.
 */
export type RunStream = AsyncGenerator<StreamFrame, boolean, undefined>;

/**
 * The connection to a backend: the requests of the specification, and optional methods for the additions that the backend has
 * announced. A method rejects with an `HttpError`, which has the response's status, or 0 if there was no response.
 */
export interface Transport {
  /**
   * Lists threads, newest first. With `before`, those older than the thread of that id; `at` is that thread's date as it was
   * listed, because it may have moved up since. With a `query`, those that contain its words, best first, if the backend
   * supports searching.
   */
  listThreads(
    page?: { readonly before: string; readonly at: string } | { readonly query: string },
  ): Promise<readonly Thread[]>;
  createThread(): Promise<Thread>;
  listMessages(threadId: string): Promise<readonly Message[]>;
  renameThread(threadId: string, title: string): Promise<void>;
  archiveThread(threadId: string): Promise<void>;
  /**
   * Asks for an answer. Resolves when the response's headers have arrived.
   *
   * @param onSent called when the request is about to leave the page, with whether it survives the page
   */
  startRun(
    threadId: string,
    request: RunRequest,
    signal: AbortSignal,
    onSent?: (outlivesPage: boolean) => void,
  ): Promise<RunStream>;
  /**
   * Joins the run in progress, from its first event or from the event after the id `after`. Resolves with `undefined` if no run
   * is in progress, or a different one from that event's.
   */
  readonly joinRun?: (
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<RunStream | undefined>;
  readonly cancelRun?: (threadId: string) => Promise<void>;
  /** Sends the page's answer to a tool call that waits. The first final answer counts. */
  readonly answerTool?: (threadId: string, answer: ToolAnswer) => Promise<void>;
  /** Stores that the branch through this message is the one to show. */
  readonly selectBranch?: (threadId: string, messageId: string) => Promise<void>;
  /** Stores the visitor's rating of an answer. */
  readonly sendFeedback?: (threadId: string, messageId: string, feedback: FeedbackRequest) => Promise<void>;
  /** Undoes the archiving of a thread. */
  readonly restoreThread?: (threadId: string) => Promise<Thread>;
  /** Erases all threads and files of the visitor. */
  readonly eraseVisitor?: () => Promise<void>;
  /** `onProgress` gets the share that has been sent, from 0 to 1. */
  readonly uploadAttachment?: (
    threadId: string,
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<Attachment>;
  /** Resolves the relative `url` of an attachment or a part to an absolute address. */
  readonly resolveUrl: (url: string) => string;
  /** Set if files need the visitor's token. Fetches one and returns a blob URL, valid until `signal` aborts. */
  readonly loadFile?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
}
