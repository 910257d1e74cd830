/** The actions of the composer and the editor: drafts of threads, and texts of questions that are being edited. */
import type { Attachment } from "@nitka/protocol";
import * as composer from "../store/composer.ts";
import { canSend, conversationOf, draftOf, isRunning, readyConversation } from "../store/selectors.ts";
import type { ComposerDraft, DraftAttachment, Failure } from "../store/state.ts";
import type { ActionContext } from "./action-context.ts";
import { changeConversationIn, failureOf, hasThread } from "./action-context.ts";
import type { Actions } from "./actions.ts";
import type { Attachments } from "./attachments.ts";
import type { Conversations } from "./conversation.ts";
import type { Runs } from "./runs/run.ts";

type ComposerActions = Pick<Actions, "setDraft" | "send" | "sendText" | "beginEdit" | "setEditDraft" | "cancelEdit">;

interface ComposerOptions {
  readonly context: ActionContext;
  readonly attachments: Attachments;
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly ensureThread: () => Promise<string | undefined>;
}

export function createComposerActions(options: ComposerOptions): ComposerActions {
  const { context, attachments, conversations, runs, ensureThread } = options;
  const { store } = context;
  const changeDraft = (threadId: string | undefined, change: (draft: ComposerDraft) => ComposerDraft) =>
    store.set((state) => composer.changeDraft(state, threadId, change));

  /** The thread that a view means. A view without an open thread may be slightly outdated. */
  const present = (threadId: string | undefined) => threadId ?? store.get().threads.activeId;

  const send = async (given: string | undefined): Promise<void> => {
    const { status, text } = draftOf(store.get(), given);
    if (given !== undefined) return canSend(store.get(), given) ? sendIn(given) : undefined;
    if (status === "waiting" || text.trim() === "") return undefined;
    changeDraft(given, composer.holdDraft);
    const made = await ensureThread();
    const isWaiting = draftOf(store.get(), made).status === "waiting";
    // The draft belongs to the new thread now. If no thread could be made, the draft is open again.
    changeDraft(made, composer.reopenDraft);
    // The visitor may have kept writing, or the thread may have had a draft of its own. Then nothing is sent, because they have
    // not seen this text.
    return made !== undefined && isWaiting ? send(made) : undefined;
  };

  const sendIn = async (threadId: string) => {
    const { attachments: files } = draftOf(store.get(), threadId);
    const refreshed = conversations.refreshed();
    // If there is nothing to wait for, the draft is sent synchronously, so that a second press finds an empty draft.
    if (readyConversation(store.get(), threadId) && files.length === 0 && !attachments.isAdding(threadId) && !refreshed)
      return ask(threadId, []);
    changeDraft(threadId, composer.holdDraft);
    try {
      await conversations.load(threadId);
      await refreshed;
      // Uploads are last, because the visitor may add files until then.
      await attachments.finishUploads(threadId);
    } catch (error) {
      return refuse(threadId, failureOf(context, error));
    }
    // The draft has changed meanwhile: for example, a file was refused. The visitor sees that before anything is sent.
    if (draftOf(store.get(), threadId).status !== "waiting") return undefined;
    const ready = draftOf(store.get(), threadId).attachments;
    const failed = ready.find(({ status }) => status === "failed");
    if (failed) return refuse(threadId, { kind: "attachment", detail: failed.file.name });
    try {
      const sent = await attachments.toMessage(ready);
      return ask(threadId, ready, sent);
    } catch (error) {
      return refuse(threadId, { kind: "attachment", detail: error instanceof Error ? error.message : String(error) });
    }
  };

  const ask = (threadId: string, files: readonly DraftAttachment[], sent: readonly Attachment[] = []) => {
    const state = store.get();
    const { text } = draftOf(state, threadId);
    const { load } = conversationOf(state, threadId);
    if (load.status === "failed") return refuse(threadId, load.failure);
    const conversation = readyConversation(state, threadId);
    if (!conversation || !hasThread(state, threadId) || conversation.run || text.trim() === "") {
      return changeDraft(threadId, composer.reopenDraft);
    }
    changeDraft(threadId, (current) => composer.takeDraft(current, files));
    let isRestored = false;
    const restore = () => {
      isRestored = true;
      changeDraft(threadId, (current) => composer.restoreDraft(current, { text, attachments: files }));
    };
    /** Only the draft shows previews of local files. */
    const release = () => {
      if (!isRestored) attachments.releasePreviews(files);
    };
    runs.ask({
      threadId,
      conversation,
      question: { content: text, ...(sent.length > 0 && { attachments: sent }) },
      onConfirmed: release,
      onUnconfirmed: release,
      onWithdrawn: restore,
      onRefused() {
        restore();
        refuse(threadId, { kind: "busy", detail: "" });
      },
    });
    return undefined;
  };

  const refuse = (threadId: string, failure: Failure) =>
    changeDraft(threadId, (draft) => composer.failDraft(draft, failure));

  return {
    send: (threadId) => send(present(threadId)),
    setDraft(given, text) {
      const threadId = present(given);
      // A draft without a thread is reopened, because it may wait for its thread for long.
      changeDraft(threadId, (draft) =>
        composer.setText(threadId === undefined ? composer.reopenDraft(draft) : draft, text),
      );
      context.onDraft?.();
    },
    async sendText(given, text) {
      const threadId = present(given);
      if (isRunning(store.get(), threadId)) return;
      changeDraft(threadId, (draft) => composer.setText(draft, text));
      context.onDraft?.();
      await send(threadId);
    },
    beginEdit: (threadId, messageId) =>
      changeConversationIn(context, threadId, (conversation) => composer.beginEdit(conversation, messageId)),
    setEditDraft: (threadId, text) =>
      changeConversationIn(context, threadId, (conversation) => composer.setEditText(conversation, text)),
    cancelEdit: (threadId) => changeConversationIn(context, threadId, composer.endEdit),
  };
}
