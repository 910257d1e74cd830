import type { FeedbackRequest } from "@nitka/protocol";
import type { Failure } from "../store/state.ts";

/** What the visitor thinks of an answer; the rating `null` takes it back. */
export type Rating = FeedbackRequest;

/** Where the visitor's focus was while they could see the page: in another window, or in a frame of the page. */
export type Elsewhere = "window" | "frame";

/** Everything that a visitor can do. A promise resolves when it is done or has failed: the failure is in the state. */
export interface Actions {
  /** What the host page can do. Its code loads with the first command. Rejects when it cannot be loaded. */
  readonly host: () => Promise<HostCommands>;
  start(): Promise<void>;
  reloadThreads(): Promise<void>;
  /** Loads the next page of threads, at the end of the list. */
  loadOlderThreads(): Promise<void>;
  /** Finds threads by their words. Without words the search is over. */
  searchThreads(query: string): Promise<void>;
  newThread(): Promise<void>;
  /** The open thread, which is made if there is none; `undefined` when it cannot be made. */
  ensureThread(): Promise<string | undefined>;
  selectThread(threadId: string): Promise<void>;
  renameThread(threadId: string, title: string): Promise<void>;
  archiveThread(threadId: string): Promise<void>;
  /** Brings back a thread that was archived a moment ago. */
  restoreThread(threadId: string): Promise<void>;
  /** The visitor has not brought it back in time. */
  endRestoreOffer(threadId: string): Promise<void>;
  /** Loads the messages of a thread again, after that has failed. */
  reloadConversation(threadId: string): Promise<void>;
  /** Without a thread: the draft of the first one that opens. */
  setDraft(threadId: string | undefined, text: string): void;
  addFiles(threadId: string, files: readonly File[]): void;
  removeAttachment(threadId: string, attachmentId: string): void;
  retryAttachment(threadId: string, attachmentId: string): void;
  /** Does at once what would tell someone else what the visitor says; or with their agreement to the project's consent. */
  whenAgreed(act: () => void): void;
  /** Sends the draft; without a thread, in a new one. Without text, or while the thread runs, it does nothing. */
  send(threadId: string | undefined): Promise<void>;
  /** Replaces the draft's text and sends it at once; without a thread, in a new one. */
  sendText(threadId: string | undefined, text: string): Promise<void>;
  stop(threadId: string): Promise<void>;
  /** @param model of the config's `models`; the chosen one without it */
  regenerate(threadId: string, answerId: string, model?: string): void;
  /** Tries again what failed: posts a question of the outbox again, rejoins a lost run, or regenerates the answer. */
  retry(threadId: string, messageId: string): Promise<void>;
  beginEdit(threadId: string, messageId: string): void;
  setEditDraft(threadId: string, text: string): void;
  cancelEdit(threadId: string): void;
  submitEdit(threadId: string): Promise<void>;
  /** Allows or denies a tool call that waits for the visitor. Resolves at once: the state has what becomes of it. */
  decideTool(threadId: string, toolCallId: string, approved: boolean): Promise<void>;
  /**
   * Answers a call of a page's tool that has no `execute`: the host's view has the output, which is JSON. May be called
   * before the call waits. Rejects with the reason when the output cannot be sent or nobody waits for it; it may then be
   * called again.
   */
  answerTool(threadId: string, toolCallId: string, output: unknown): Promise<void>;
  /** The page offers other tools. */
  changePageOffer(): void;
  /** Rates an answer, or takes the rating back. Resolves with why it failed, once the backend has confirmed or refused it. */
  rate(threadId: string, messageId: string, rating: Rating): Promise<Failure | undefined>;
  /** Shows the branch that goes through this message. */
  selectBranch(threadId: string, messageId: string): void;
  /** The connection may be back: tries again at once what failed without it. */
  reconnect(): void;
  /**
   * Loads the list and the open thread again in the background, where they are in view: another tab may have asked
   * something, or may be asking now.
   *
   * @param from where the focus was, for a visitor who could see the page meanwhile: such refreshes are 15 s apart
   */
  refresh(from?: Elsewhere): Promise<void>;
  /** The browser has lost its network, or has it again. */
  setOffline(offline: boolean): void;
  selectModel(modelId: string): void;
  /** Expands or collapses the sidebar; on compact layouts opens or closes its sheet. */
  toggleSidebar(): void;
  closeSheet(): void;
  /** The widget, or its window, has become narrower than 768 px, or wider. */
  setCompact(compact: boolean): void;
  /** In the launcher layout. */
  openPanel(): void;
  closePanel(): void;
  /** Removes the text beside the launcher's button. The mark on it stays. */
  dismissNotice(): void;
}

/** A question of the host page that the backend has confirmed. */
export interface SentQuestion {
  readonly threadId: string;
  readonly messageId: string;
}

/** They begin in the order of the calls. One that cannot be done rejects with the reason. */
export interface HostCommands {
  /** Sends a text as soon as its thread's messages are loaded and nothing runs in it. The visitor's draft stays. */
  send(text: string, options?: { readonly files?: readonly File[]; readonly threadId?: string }): Promise<SentQuestion>;
  newThread(): Promise<{ readonly threadId: string }>;
  selectThread(threadId: string): Promise<void>;
  stop(): Promise<void>;
  setDraft(text: string): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
  focus(): Promise<void>;
  notify(text: string): Promise<void>;
  eraseVisitor(): Promise<void>;
}
