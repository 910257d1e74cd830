import type { Attachment, Message, RunRequest, Thread } from "@nitka/protocol";
import type { StreamFrame } from "@nitka/protocol/read-stream";

/** A run's frames; its return value tells a stream that said it was done (`true`) from one that merely closed. */
export type RunStream = AsyncGenerator<StreamFrame, boolean, undefined>;

/** The calls of the specification, and the additions that a backend may have. Knows no state; rejects with `HttpError`. */
export interface Transport {
  listThreads(page?: { readonly before?: string }): Promise<readonly Thread[]>;
  createThread(): Promise<Thread>;
  listMessages(threadId: string): Promise<readonly Message[]>;
  renameThread(threadId: string, title: string): Promise<void>;
  archiveThread(threadId: string): Promise<void>;
  /** Resolves when the answer's headers are there. */
  startRun(threadId: string, request: RunRequest, signal: AbortSignal): Promise<RunStream>;
  /**
   * The run in progress from its first event on, or only the events after the one of the id `after`; `undefined` when
   * no run is in progress, or not the one of that event.
   */
  readonly joinRun?: (
    threadId: string,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<RunStream | undefined>;
  readonly cancelRun?: (threadId: string) => Promise<void>;
  /** Remembers that the branch through this message is the one left open. */
  readonly selectBranch?: (threadId: string, messageId: string) => Promise<void>;
  /** Erases all that the visitor has said and sent. */
  readonly eraseVisitor?: () => Promise<void>;
  /** `onProgress` gets the share sent, 0 to 1. */
  readonly uploadAttachment?: (
    threadId: string,
    file: File,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<Attachment>;
  /** The address to show an attachment's or part's relative `url` from. */
  resolveUrl(url: string): string;
  /** There where an address alone shows nothing: the file behind it at an address within this page, until the signal. */
  readonly loadFile?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
}
