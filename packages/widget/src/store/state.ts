import type { Attachment, Consent, Message, ServerConfig, Thread } from "@nitka/protocol";

/** Why something failed. The locales have a text for each kind; `detail` is a technical text. */
export interface Failure {
  /**
   * `lost`: the connection broke and could not be restored. `busy`: another run is active in the thread. The last three: the
   * project's rules refuse a file, whose name is in `detail`.
   */
  readonly kind:
    | "network"
    | "http"
    | "unauthorized"
    | "not_found"
    | "too_large"
    | "rate_limited"
    | "budget_exceeded"
    | "lost"
    | "busy"
    | "attachment"
    | "attachment_size"
    | "attachment_type"
    | "attachment_count";
  readonly detail: string;
}

export interface ChatState {
  readonly config: ServerConfig;
  readonly threads: ThreadsState;
  /**
   * By thread id. Conversations stay in memory, so that a thread that was open before is shown at once; see
   * effects/drop-conversations.ts.
   */
  readonly conversations: Readonly<Record<string, Conversation>>;
  /** Drafts by thread id. */
  readonly drafts: Readonly<Record<string, ComposerDraft>>;
  /** The draft while no thread is open. It moves to the first thread that opens. */
  readonly draftWithoutThread?: ComposerDraft;
  readonly sidebar: SidebarState;
  /**
   * The consent that the visitor has to give; absent once they have agreed. `isAwaited`: an action other than a draft waits for
   * it.
   */
  readonly consent?: Consent & { readonly isAwaited: boolean };
  /** Whether the launcher's panel is open. */
  readonly panelOpen: boolean;
  /** Whether the browser has no network. */
  readonly offline?: boolean;
  /** Removed when the visitor opens the panel. */
  readonly notice?: Notice;
  /** The model that the visitor has chosen from `config.models`. */
  readonly model?: string;
}

/** A mark on the launcher's button, and the text beside it until the visitor dismisses that. */
export interface Notice {
  readonly text?: string;
}

/** The state of a request whose result is stored. */
export type LoadState =
  | { readonly status: "loading" | "ready" }
  | { readonly status: "failed"; readonly failure: Failure };

export interface ThreadsState {
  readonly load: LoadState;
  /** Newest first. */
  readonly items: readonly Thread[];
  readonly activeId?: string;
  /** The thread that is new or has just moved to the top. */
  readonly highlightedId?: string;
  /** The shown part of each title that is being typed, by thread id. Only titles that the assistant sets are typed. */
  readonly typedTitles: Readonly<Record<string, string>>;
  /** The threads on the server that are older than the last item. */
  readonly older:
    | { readonly status: "none" | "available" | "loading" }
    | { readonly status: "failed"; readonly failure: Failure };
  /** Why the last attempt to create a thread failed. */
  readonly createFailure?: Failure;
  /** Why a thread could not be renamed, archived or restored, by thread id. */
  readonly failures: Readonly<Record<string, Failure>>;
  /** What the visitor searches for. */
  readonly search?: ThreadSearch;
  /** The threads that the visitor has just deleted and can restore. */
  readonly removed?: readonly RemovedThread[];
}

export interface ThreadSearch {
  readonly query: string;
  readonly load: LoadState;
  /** The search results, best first. While a query loads, they are those of the query before. */
  readonly hits: readonly Thread[];
}

export interface RemovedThread {
  readonly thread: Thread;
  /** The text of its draft. */
  readonly draft?: string;
  /** The thread that opened in its place, if it was the open one. */
  readonly successor?: string;
}

/** What the widget knows of a thread. */
export interface Conversation {
  /**
   * The state of the server's messages; `absent` before they are requested. Cached messages stay while they are loaded again.
   */
  readonly load: LoadState | { readonly status: "absent" };
  /** The whole tree: loaded messages, and those added since. */
  readonly messages: readonly Message[];
  /** The last message of the branch that is shown. */
  readonly headId?: string;
  readonly run?: RunState;
  /** The view's keys by message id, where they differ from the id: a message that the server renames keeps its element. */
  readonly keys: Readonly<Record<string, string>>;
  /** The ids of questions that the backend has not confirmed. «Повторить» sends them again under the same id. */
  readonly outbox: readonly string[];
  /** Why an answer failed, by its id, if its `status.error` does not say it: for example because the connection was lost. */
  readonly failures: Readonly<Record<string, Failure>>;
  /** The question whose editor is open, and the text in it. */
  readonly edit?: { readonly messageId: string; readonly text: string };
}

/** A conversation with known messages, to which a question can be added. */
export type ReadyConversation = Conversation & { readonly load: { readonly status: "ready" } };

export interface RunState {
  readonly questionId: string;
  readonly answerId: string;
  /**
   * `preparing`: the question is lost if the page closes. `sending`: its first request is in flight and survives the page.
   * `stopping`: the visitor has stopped the run, and the backend may still say how it ends.
   */
  readonly phase: "preparing" | "sending" | "streaming" | "rejoining" | "stopping";
  /** The assistant's own description of its activity (`data-thinking`, `data-progress`). */
  readonly activity?: string;
  /** The view parses only this text, not the whole answer. */
  readonly appended?: Appended;
  /** The tool calls that wait for the visitor or for a page, by id. */
  readonly calls?: Readonly<Record<string, CallState>>;
}

/** What a tool call waits for. */
export type CallState =
  /** The visitor, who is asked whether the tool may run. `failure` says why the last decision could not be sent. */
  | (CallQuestion & { readonly type: "asking"; readonly failure?: Failure })
  /** The backend, to which the visitor's decision is being sent. */
  | (CallQuestion & { readonly type: "deciding"; readonly approved: boolean })
  /** The host's view, which provides the answer. */
  | { readonly type: "waiting" }
  /** The tool, which runs in this page, or in another page that has claimed the call. */
  | { readonly type: "running" | "elsewhere" };

/** The question about a tool call that the visitor is asked. */
interface CallQuestion {
  /** The tool's name as shown to the visitor. */
  readonly title: string;
  /** The host's own text of the question. */
  readonly question?: string;
  /** The JSON Schema of the arguments, if this page declares the tool. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The text that the last write added to an answer. */
export interface Appended {
  readonly partIndex: number;
  /** The length of the part's text before the write. */
  readonly from: number;
  readonly text: string;
}

/** The visitor's text and files, and whether they are being sent. */
export type ComposerDraft = DraftContent &
  (
    | { readonly status: "open" }
    /** The visitor has sent it. It waits for its uploads or for the thread's messages. */
    | { readonly status: "waiting" }
    /** It could not be sent, or a file was refused. */
    | { readonly status: "failed"; readonly failure: Failure }
  );

export interface DraftContent {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

/** A file that is being added to a message. */
export type DraftAttachment = {
  readonly id: string;
  readonly file: File;
  readonly type: Attachment["type"];
  /** The blob URL of a picture that is not sent yet. */
  readonly preview?: string;
} & (
  | /** The backend takes no uploads: the message carries the bytes. */ { readonly status: "local" }
  | { readonly status: "uploading"; /** 0 to 1. */ readonly progress: number }
  | { readonly status: "uploaded"; readonly attachment: Attachment }
  | { readonly status: "failed"; readonly failure: Failure }
);

/** The sidebar has two states, one for each layout, because the visitor may resize the window. */
export interface SidebarState {
  /** In the wide layout: whether the sidebar is expanded. */
  readonly open: boolean;
  /** In the compact layout: whether the sheet is open. */
  readonly sheetOpen: boolean;
  /** Whether the widget or the window is narrower than 768 px. */
  readonly compact: boolean;
}
