import type { Attachment, Consent, Message, ServerConfig, Thread } from "@nitka/protocol";

/** Why something failed. The locales have a text for each kind; `detail` is the technical text. */
export interface Failure {
  /**
   * `lost`: the connection broke off and could not be restored. `busy`: another run goes on in the thread. The last three:
   * the project's rules refuse a file, whose name is `detail`.
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
  /** By thread id. They stay in memory, so that a thread that was seen is shown at once; see effects/drop-conversations.ts. */
  readonly conversations: Readonly<Record<string, Conversation>>;
  /** What is being written, by thread id. */
  readonly drafts: Readonly<Record<string, ComposerDraft>>;
  /** What is being written while no thread is open: it goes to the first one that opens. */
  readonly draftWithoutThread?: ComposerDraft;
  readonly sidebar: SidebarState;
  /** What the visitor has to agree to; absent once they have. `isAwaited`: something other than a draft waits for it. */
  readonly consent?: Consent & { readonly isAwaited: boolean };
  /** In the launcher layout: the panel is open. */
  readonly panelOpen: boolean;
  /** The browser has no network. */
  readonly offline?: boolean;
  /** Until the visitor opens the panel. */
  readonly notice?: Notice;
  /** The model that the visitor chose, of `config.models`. */
  readonly model?: string;
}

/** A mark on the launcher's button, and the text beside it until it is dismissed. */
export interface Notice {
  readonly text?: string;
}

/** The state of a request whose result is kept. */
export type LoadState =
  | { readonly status: "loading" | "ready" }
  | { readonly status: "failed"; readonly failure: Failure };

export interface ThreadsState {
  readonly load: LoadState;
  /** Newest first. */
  readonly items: readonly Thread[];
  readonly activeId?: string;
  /** New, or just moved to the top. */
  readonly highlightedId?: string;
  /** Titles that the assistant set and that are being typed: what is shown so far, by thread id. */
  readonly typedTitles: Readonly<Record<string, string>>;
  /** The threads on the server that are older than the last item. */
  readonly older:
    | { readonly status: "none" | "available" | "loading" }
    | { readonly status: "failed"; readonly failure: Failure };
  /** Why the last attempt to make a thread failed. */
  readonly createFailure?: Failure;
  /** Why a thread could not be renamed, archived or restored, by its id. */
  readonly failures: Readonly<Record<string, Failure>>;
  /** What the visitor searches for. */
  readonly search?: ThreadSearch;
  /** Those that the visitor has just deleted, and can bring back. */
  readonly removed?: readonly RemovedThread[];
}

export interface ThreadSearch {
  readonly query: string;
  readonly load: LoadState;
  /** The threads that were found, best first: those of the query before while this one loads. */
  readonly hits: readonly Thread[];
}

export interface RemovedThread {
  readonly thread: Thread;
  /** What was being written in it. */
  readonly draft?: string;
  /** It was the open one, and this one opened in its place. */
  readonly successor?: string;
}

/** What the widget holds of a thread. */
export interface Conversation {
  /** The messages that the server has of it; `absent` before they are asked for. Cached ones stay while they are loaded. */
  readonly load: LoadState | { readonly status: "absent" };
  /** The whole tree: loaded, and added to since. */
  readonly messages: readonly Message[];
  /** The end of the branch that is shown. */
  readonly headId?: string;
  readonly run?: RunState;
  /** Keys for the view by message id, where they differ: a message that the server renames keeps its element. */
  readonly keys: Readonly<Record<string, string>>;
  /** The ids of questions that no backend has confirmed: «Повторить» sends them again under the same id. */
  readonly outbox: readonly string[];
  /** Why an answer failed, by its id, where its `status.error` does not say it: the connection was lost, for example. */
  readonly failures: Readonly<Record<string, Failure>>;
  /** The question whose editor is open, and what is written there. */
  readonly edit?: { readonly messageId: string; readonly text: string };
}

/** A conversation that a question can be added to: its messages are known. */
export type ReadyConversation = Conversation & { readonly load: { readonly status: "ready" } };

export interface RunState {
  readonly questionId: string;
  readonly answerId: string;
  /**
   * `preparing`: the question is lost with the page. `sending`: its first request is under way, and outlives the page. `stopping`: the visitor has
   * stopped it, and the backend may still say how it ends.
   */
  readonly phase: "preparing" | "sending" | "streaming" | "rejoining" | "stopping";
  /** What the assistant is doing, in its own words (`data-thinking`, `data-progress`). */
  readonly activity?: string;
  /** The view parses this text alone, not the whole answer. */
  readonly appended?: Appended;
  /** The tool calls that wait for the visitor or for a page, by their ids. */
  readonly calls?: Readonly<Record<string, CallState>>;
}

/** What a tool call waits for. */
export type CallState =
  /** The visitor: may it run? `failure` is why the last decision could not be sent. */
  | (CallQuestion & { readonly type: "asking"; readonly failure?: Failure })
  /** The backend, which is being told what the visitor has decided. */
  | (CallQuestion & { readonly type: "deciding"; readonly approved: boolean })
  /** The host's view, which answers it. */
  | { readonly type: "waiting" }
  /** The tool runs in this page, or in another page that was first. */
  | { readonly type: "running" | "elsewhere" };

/** What a visitor is asked about a tool call. */
interface CallQuestion {
  /** The tool's name as the visitor reads it. */
  readonly title: string;
  /** The host's own question. */
  readonly question?: string;
  /** The JSON Schema of the arguments, where this page declares the tool. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The text that the last write added to an answer. */
export interface Appended {
  readonly partIndex: number;
  /** The length of the part's text before it. */
  readonly from: number;
  readonly text: string;
}

/** What the visitor writes, and whether it is being sent. */
export type ComposerDraft = DraftContent &
  (
    | { readonly status: "open" }
    /** Sent by the visitor, and waiting for its uploads or for the thread's messages. */
    | { readonly status: "waiting" }
    /** It could not be sent, or a file was refused. */
    | { readonly status: "failed"; readonly failure: Failure }
  );

export interface DraftContent {
  readonly text: string;
  readonly attachments: readonly DraftAttachment[];
}

/** A file on its way into a message. */
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

/** The sidebar has two states, since a visitor may resize the window: each layout keeps its own. */
export interface SidebarState {
  /** On wide layouts: expanded or collapsed. */
  readonly open: boolean;
  /** On compact layouts: the sheet. */
  readonly sheetOpen: boolean;
  /** The widget itself, or the window, is narrower than 768 px. */
  readonly compact: boolean;
}
