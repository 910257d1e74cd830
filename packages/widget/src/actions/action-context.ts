import type { Thread } from "@nitka/protocol";
import type { NitkaEvents } from "../options.ts";
import { changeConversation } from "../store/conversation.ts";
import type { Schedule, Store } from "../store/create-store.ts";
import type { ChatState, Conversation, Failure } from "../store/state.ts";
import { HttpError } from "../transport/http-error.ts";
import type { Transport } from "../transport/transport.ts";
import type { PageOffer } from "./tools/page-offer.ts";

/** An event for the host page. */
export type HostEvent = {
  readonly [E in keyof NitkaEvents]: { readonly type: E; readonly detail: NitkaEvents[E] };
}[keyof NitkaEvents];

/** What actions depend on: the state, the backend, and the parts of the browser that tests replace. */
export interface ActionContext {
  readonly store: Store<ChatState>;
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly schedule: Schedule;
  /** Calls back after this many milliseconds. Returns a function that cancels the callback. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** A random number, at least 0 and below 1, for the jitter of delays. */
  readonly random: () => number;
  /** Whether the page is hidden. A hidden page draws few frames, and nothing needs to be spread over them. */
  readonly isHidden: () => boolean;
  readonly prefersReducedMotion: () => boolean;
  /** Creates blob URLs of files. Each is valid until it is released. */
  readonly previews: { readonly create: (file: File) => string; readonly release: (url: string) => void };
  readonly readDataUrl: (file: File) => Promise<string>;
  /** Logs an error to the console, for developers. */
  readonly logError: (text: string) => void;
  readonly emit: (event: HostEvent) => void;
  /** The tools and the context that the host page offers the assistant now. */
  readonly pageOffer?: () => PageOffer;
  /** Called when the visitor has written something or added a file. */
  readonly onDraft?: () => void;
  /** Removes all drafts that are stored in this browser. */
  readonly forgetDrafts?: () => void;
  /** Focuses the composer. */
  readonly focusComposer: () => void;
  /**
   * Whether the layout is a launcher. There the first question creates the first thread; otherwise the widget creates it at its
   * start.
   */
  readonly hasLauncher: boolean;
  /**
   * Calls `act` when no other widget of this browser is in such a call. Without `waits` it calls `act` at once, and `isAlone`
   * may be false.
   */
  readonly inTurn: (waits: boolean | undefined, act: (isAlone: boolean) => Promise<void>) => Promise<void>;
  /** The id of the thread that the page's address names. */
  readonly addressedThread: () => string | undefined;
  /** Aborts when the widget is destroyed. */
  readonly signal: AbortSignal;
}

/** Turns an error into a failure for the state, and reports the error to the host. */
export function failureOf(context: ActionContext, cause: unknown): Failure {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  context.emit({ type: "error", detail: error });
  return { kind: kindOf(error), detail: error.message };
}

/** Changes the conversation of a thread, if the thread is still in the list. */
export function changeConversationIn(
  context: ActionContext,
  threadId: string,
  change: (conversation: Conversation) => Conversation,
): void {
  context.store.set((state) => (hasThread(state, threadId) ? changeConversation(state, threadId, change) : state));
}

/** Whether a thread is still in the list. A late response must not bring an archived thread back. */
export function hasThread(state: ChatState, threadId: string): boolean {
  return state.threads.items.some((thread: Thread) => thread.threadId === threadId);
}

/** Resolves when the state satisfies a condition. */
export function until({ store }: ActionContext, isTrue: (state: ChatState) => boolean): Promise<void> {
  if (isTrue(store.get())) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!isTrue(store.get())) return;
      stop();
      resolve();
    });
  });
}

function kindOf(error: Error): Failure["kind"] {
  if (!(error instanceof HttpError)) return "http";
  if (error.code === "budget_exceeded") return error.code;
  switch (error.status) {
    case 0:
      return "network";
    case 401:
      return "unauthorized";
    case 404:
      return "not_found";
    case 413:
      return "too_large";
    case 429:
      return "rate_limited";
    default:
      return "http";
  }
}
