import type { Attachment, FeedbackRequest, Message, RunRequest, Thread, ToolAnswer } from "@nitka/protocol";
import type { StreamFrame } from "@nitka/protocol/read-stream";

/** A run's events with their ids. It returns `true` after the stream's `[DONE]`, and `false` where the stream merely closed. */
export type RunStream = AsyncGenerator<StreamFrame, boolean, undefined>;

/**
 * The way to a backend: the requests of the specification, and optional methods for the additions that it has announced.
 * A method rejects with an `HttpError`: the response's status, or 0 where none came.
 */
export interface Transport {
  /**
   * The newest threads first; with `before`, those that are older than the thread of that id. `at` is its date as it was
   * listed: it may have moved up since. With a `query`, those that have its words, best first, where the backend searches.
   */
  listThreads(
    page?: { readonly before: string; readonly at: string } | { readonly query: string },
  ): Promise<readonly Thread[]>;
  createThread(): Promise<Thread>;
  listMessages(threadId: string): Promise<readonly Message[]>;
  renameThread(threadId: string, title: string): Promise<void>;
  archiveThread(threadId: string): Promise<void>;
  /**
   * Asks for an answer. Resolves with the response's headers.
   *
   * @param onSent called when the request is about to leave the page, and whether it goes on when the page is closed
   */
  startRun(
    threadId: string,
    request: RunRequest,
    signal: AbortSignal,
    onSent?: (outlivesPage: boolean) => void,
  ): Promise<RunStream>;
  /**
   * The run in progress, from its first event or from the one after the event id `after`. Resolves with `undefined` when
   * no run is in progress, or another one than that event's.
   */
  readonly joinRun?: (
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<RunStream | undefined>;
  readonly cancelRun?: (threadId: string) => Promise<void>;
  /** Sends what the page says about a tool call that waits. The first final answer counts. */
  readonly answerTool?: (threadId: string, answer: ToolAnswer) => Promise<void>;
  /** Stores that the branch through this message is the one to show. */
  readonly selectBranch?: (threadId: string, messageId: string) => Promise<void>;
  /** Stores what the visitor thinks of an answer. */
  readonly sendFeedback?: (threadId: string, messageId: string, feedback: FeedbackRequest) => Promise<void>;
  /** Takes an archiving back. */
  readonly restoreThread?: (threadId: string) => Promise<Thread>;
  /** Erases all threads and files of the visitor. */
  readonly eraseVisitor?: () => Promise<void>;
  /** `onProgress` gets the share that is sent, 0 to 1. */
  readonly uploadAttachment?: (
    threadId: string,
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<Attachment>;
  /** The absolute address of an attachment's or a part's relative `url`. */
  readonly resolveUrl: (url: string) => string;
  /** Set when files need the visitor's token: fetches one and returns a blob URL, valid until `signal` aborts. */
  readonly loadFile?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
}
