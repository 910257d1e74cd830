import { loadChunk } from "../load-chunk.ts";
import { setOffline, setNotice, setPanelOpen, closeSheet, setCompact, toggleSidebar } from "../store/shell.ts";
import { conversationOf } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import type { Actions, HostCommands } from "./actions.ts";
import { createComposerActions } from "./composer.ts";
import { createConversations } from "./conversation.ts";
import { loadAttachments } from "./load-attachments.ts";
import { loadPageTools } from "./tools/load-page-tools.ts";
import { createRuns } from "./runs/run.ts";
import { createThreadOrder } from "./thread-order.ts";
import { createThreads } from "./threads.ts";
import { createTitleTyping } from "./title-typing.ts";

/** Creates the actions on one state and one backend. What they start ends when the context's signal aborts. */
export function createActions(context: ActionContext): Actions {
  const { store, signal } = context;
  const list = createThreadOrder(context);
  const titles = createTitleTyping(context);
  const conversations = createConversations(context);
  const pageTools = loadPageTools(context);
  const runs = createRuns({ context, conversations, list, titles, pageTools });
  const attachments = loadAttachments(context);
  const threads = createThreads({
    context,
    conversations,
    list,
    titles,
    onRemoved: (threadId) => {
      runs.detach(threadId);
      attachments.discard(threadId);
    },
  });
  /** Ends all runs and uploads. The state does not change. */
  const leave = () => {
    runs.detach();
    for (const threadId of Object.keys(store.get().drafts)) attachments.discard(threadId);
  };
  signal.addEventListener("abort", leave);

  const loadFeedback = loadChunk(() => import("./feedback.ts"));
  let rate: Actions["rate"] | undefined;
  const loadSearch = loadChunk(() => import("./search-threads.ts"));
  const loadHost = loadChunk(() => import("./host-commands.ts"));
  let host: ((isEarly: boolean) => HostCommands) | undefined;
  const { addFiles, removeAttachment, retryAttachment } = attachments;
  return {
    ...threads,
    ...runs,
    ...createComposerActions({ context, attachments, conversations, runs, ensureThread: threads.ensureThread }),
    host() {
      const isEarly = store.get().threads.activeId === undefined;
      return loadHost().then(({ createHostCommands }) => {
        host ??= createHostCommands({ context, threads, conversations, runs, attachments, leave });
        return host(isEarly);
      });
    },
    searchThreads: async (query) => (await loadSearch()).searchThreads(context, query),
    whenAgreed: (act) => act(),
    addFiles,
    removeAttachment,
    retryAttachment,
    decideTool: pageTools.decide,
    answerTool: pageTools.answer,
    changePageOffer: pageTools.offerChanged,
    async rate(...rating) {
      const { createFeedback } = await loadFeedback();
      rate ??= createFeedback(context);
      return rate(...rating);
    },
    reloadConversation: (threadId) => conversations.load(threadId),
    reconnect() {
      runs.retryNow();
      for (const threadId of Object.keys(store.get().drafts)) attachments.reconnect(threadId);
      const { load, activeId } = store.get().threads;
      if (load.status === "failed") void threads.reloadThreads();
      if (activeId !== undefined && conversationOf(store.get(), activeId).load.status === "failed") {
        void conversations.load(activeId);
      }
    },
    refresh: conversations.refreshView,
    setOffline: (offline) => store.set((state) => setOffline(state, offline)),
    selectModel: (model) => store.set((state) => ({ ...state, model })),
    toggleSidebar: () => store.set(toggleSidebar),
    closeSheet: () => store.set(closeSheet),
    setCompact: (compact) => store.set((state) => setCompact(state, compact)),
    openPanel() {
      store.set((state) => setPanelOpen(state, true));
      void conversations.refreshView();
    },
    dismissNotice: () => store.set((state) => setNotice(state, {})),
    closePanel: () => store.set((state) => setPanelOpen(state, false)),
  };
}
