import type { FeedbackRequest } from "@nitka/protocol";
import type { Failure } from "../store/state.ts";

/** The visitor's rating of an answer; `null` withdraws it. */
export type Rating = FeedbackRequest;

/** Where the visitor's focus was while they could still see the page: in another window, or in a frame of the page. */
export type Elsewhere = "window" | "frame";

/**
 * Everything that a visitor can do. A promise resolves when the action is done or has failed; a failure is stored in the state.
 */
export interface Actions {
  /** The host page's commands. Their code loads with the first command. Rejects if it cannot be loaded. */
  readonly host: () => Promise<HostCommands>;
  start(): Promise<void>;
  reloadThreads(): Promise<void>;
  /** Loads the next page of threads and appends it to the list. */
  loadOlderThreads(): Promise<void>;
  /** Searches the threads for these words. A query without words ends the search. */
  searchThreads(query: string): Promise<void>;
  newThread(): Promise<void>;
  /** Resolves with the id of the open thread, which is created if there is none; with `undefined` if it cannot be created. */
  ensureThread(): Promise<string | undefined>;
  selectThread(threadId: string): Promise<void>;
  renameThread(threadId: string, title: string): Promise<void>;
  archiveThread(threadId: string): Promise<void>;
  /** Restores a thread that was archived a moment ago. */
  restoreThread(threadId: string): Promise<void>;
  /** Ends the offer to restore a thread. */
  endRestoreOffer(threadId: string): Promise<void>;
  /** Loads the messages of a thread again after a failure. */
  reloadConversation(threadId: string): Promise<void>;
  /** Sets the draft's text. Without a thread it is the draft of the first thread that opens. */
  setDraft(threadId: string | undefined, text: string): void;
  addFiles(threadId: string, files: readonly File[]): void;
  removeAttachment(threadId: string, attachmentId: string): void;
  retryAttachment(threadId: string, attachmentId: string): void;
  /**
   * Calls `act`, which would pass the visitor's words on to a third party: at once, or, if the project asks for consent, when
   * the visitor has agreed.
   */
  whenAgreed(act: () => void): void;
  /** Sends the draft; without a thread, in a new thread. Does nothing if there is no text or a run is active in the thread. */
  send(threadId: string | undefined): Promise<void>;
  /** Replaces the draft's text and sends it at once; without a thread, in a new thread. */
  sendText(threadId: string | undefined, text: string): Promise<void>;
  stop(threadId: string): Promise<void>;
  /** @param model a model of the config's `models`; by default the chosen one */
  regenerate(threadId: string, answerId: string, model?: string): void;
  /** Retries what failed: posts a question of the outbox again, rejoins a lost run, or regenerates the answer. */
  retry(threadId: string, messageId: string): Promise<void>;
  beginEdit(threadId: string, messageId: string): void;
  setEditDraft(threadId: string, text: string): void;
  cancelEdit(threadId: string): void;
  submitEdit(threadId: string): Promise<void>;
  /** Allows or denies a tool call that waits for the visitor. Resolves at once; the result appears in the state. */
  decideTool(threadId: string, toolCallId: string, approved: boolean): Promise<void>;
  /**
   * Answers a call of a page's tool that has no `execute`, with JSON output from the host's view. It may be called before the
   * call waits. Rejects with the reason if the output cannot be sent or nothing waits for it; it may then be called again.
   */
  answerTool(threadId: string, toolCallId: string, output: unknown): Promise<void>;
  /** The host page has changed its tools. */
  changePageOffer(): void;
  /**
   * Rates an answer, or withdraws the rating. Resolves when the backend has confirmed or refused it: with the failure, if it
   * was refused.
   */
  rate(threadId: string, messageId: string, rating: Rating): Promise<Failure | undefined>;
  /** Shows the branch that contains this message. */
  selectBranch(threadId: string, messageId: string): void;
  /** The connection may be back: retries at once what failed without it. */
  reconnect(): void;
  /**
   * Loads the list and the open thread again in the background if they are visible, because another tab may have asked a
   * question.
   *
   * @param from where the focus was, if the visitor could see the page meanwhile; such refreshes are at least 15 s apart
   */
  refresh(from?: Elsewhere): Promise<void>;
  /** Sets whether the browser has no network. */
  setOffline(offline: boolean): void;
  selectModel(modelId: string): void;
  /** Expands or collapses the sidebar; in the compact layout, opens or closes its sheet. */
  toggleSidebar(): void;
  closeSheet(): void;
  /** Sets whether the widget or its window is narrower than 768 px. */
  setCompact(compact: boolean): void;
  /** Opens the launcher's panel. */
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

/** The host's commands, which start in the order of the calls. A command that fails rejects with the reason. */
export interface HostCommands {
  /** Sends a text when its thread's messages are loaded and no run is active there. The visitor's draft is not touched. */
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
