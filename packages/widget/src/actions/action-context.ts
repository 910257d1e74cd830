import type { Message, MessageStatus, Thread } from "@nitka/protocol";
import { changeConversation } from "../store/conversation.ts";
import type { Schedule, Store } from "../store/create-store.ts";
import type { ChatState, Conversation, Failure } from "../store/state.ts";
import { HttpError } from "../transport/http-error.ts";
import type { Transport } from "../transport/transport.ts";

/** What the host page hears of. */
export type HostEvent =
  | { readonly type: "message"; readonly threadId: string; readonly message: Message }
  | { readonly type: "error"; readonly error: Error }
  | { readonly type: "runstart"; readonly threadId: string; readonly messageId: string }
  | {
      readonly type: "runend";
      readonly threadId: string;
      readonly messageId: string;
      readonly status: MessageStatus;
    }
  | {
      readonly type: "toolcall";
      readonly threadId: string;
      readonly messageId: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: unknown;
    };

/** What actions have to do with: the state, the backend, and of the world what is named here. */
export interface ActionContext {
  readonly store: Store<ChatState>;
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly schedule: Schedule;
  /** Calls back after so many milliseconds, unless the returned stop is called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** 0 up to 1, for times that must differ between visitors. */
  readonly random: () => number;
  /** Nobody sees the page: what is drawn need not be spread over frames. */
  readonly isHidden: () => boolean;
  readonly prefersReducedMotion: () => boolean;
  /** Files as the browser can show them, until they are let go. */
  readonly previews: { readonly create: (file: File) => string; readonly release: (url: string) => void };
  readonly readDataUrl: (file: File) => Promise<string>;
  /** For developers, in the console. */
  readonly logError: (text: string) => void;
  readonly emit: (event: HostEvent) => void;
  /** The visitor writes, or adds a file. */
  readonly onDraft?: () => void;
  /** Nothing that the visitor has written is to be kept in this browser. */
  readonly forgetDrafts?: () => void;
  /** Puts the caret into the composer. */
  readonly focusComposer: () => void;
  /** The chat is behind a button: a visitor without threads gets one with the first question, and not at once. */
  readonly hasLauncher: boolean;
  /** The thread that the address names, if any. */
  readonly addressedThread: () => string | undefined;
  /** Aborted when the widget is taken away. */
  readonly signal: AbortSignal;
}

/** What a call's failure is to the state; the host hears of it too. */
export function failureOf(context: ActionContext, cause: unknown): Failure {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  context.emit({ type: "error", error });
  return { kind: kindOf(error), detail: error.message };
}

/** Changes one conversation of the state. */
export function changeConversationIn(
  context: ActionContext,
  threadId: string,
  change: (conversation: Conversation) => Conversation,
): void {
  context.store.set((state) => (holds(state, threadId) ? changeConversation(state, threadId, change) : state));
}

/** Whether a thread is (still) in the list: what arrives late for an archived one must not bring it back. */
export function holds(state: ChatState, threadId: string): boolean {
  return state.threads.items.some((thread: Thread) => thread.threadId === threadId);
}

/** Resolves when the state is so. */
export function until({ store }: ActionContext, isSo: (state: ChatState) => boolean): Promise<void> {
  if (isSo(store.get())) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!isSo(store.get())) return;
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
