/** The host page's commands. They start in the order of the calls, and each uses the thread that is active when it starts. */
import * as composer from "../store/composer.ts";
import { setNotice, setPanelOpen } from "../store/shell.ts";
import { conversationOf, isRunning, readyConversation } from "../store/selectors.ts";
import type { ActionContext } from "./action-context.ts";
import { hasThread, until } from "./action-context.ts";
import type { HostCommands, SentQuestion } from "./actions.ts";
import type { Attachments } from "./attachments.ts";
import type { Conversations } from "./conversation.ts";
import type { Runs } from "./runs/run.ts";
import type { Threads } from "./threads.ts";

interface HostCommandsOptions {
  readonly context: ActionContext;
  readonly threads: Pick<Threads, "chosen" | "create" | "find" | "open">;
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly attachments: Attachments;
  /** Ends all runs and uploads of this page. */
  readonly leave: () => void;
}

/**
 * @returns the commands. `isEarly` says that the host called them before a thread was open. The widget may then create a thread
 *   itself, and `newThread` returns that one
 */
export function createHostCommands(options: HostCommandsOptions): (isEarly: boolean) => HostCommands {
  const { context, threads, conversations, runs, attachments, leave } = options;
  const { store } = context;
  /** Resolves when the last command's turn is over. */
  let turn: Promise<unknown> = Promise.resolve();
  /** By thread id: resolves when the backend has confirmed or refused the thread's last question. */
  const sending = new Map<string, Promise<unknown>>();

  const inTurn = <T>(act: () => T | Promise<T>): Promise<T> => {
    const done = turn.then(act);
    turn = done.catch(() => undefined);
    return done;
  };

  const listLoaded = async () => {
    await until(context, (state) => state.threads.load.status !== "loading");
    const { load } = store.get().threads;
    if (load.status === "failed")
      throw new Error(`Nitka: the list of threads could not be loaded: ${load.failure.detail}`);
  };

  const activeThread = async (): Promise<string | undefined> => {
    await listLoaded();
    await threads.chosen();
    return store.get().threads.activeId;
  };

  /** The id of the thread that a question goes to: the given one, the active one, or a new one. */
  const threadFor = async (threadId: string | undefined): Promise<string> => {
    await listLoaded();
    if (threadId === undefined) return (await activeThread()) ?? threads.create();
    if (await threads.find(threadId)) return threadId;
    throw new Error(`Nitka: there is no thread "${threadId}" of this visitor.`);
  };

  /**
   * Asks when the thread's messages are loaded and no run is active there. Resolves when the backend has confirmed the
   * question.
   */
  const ask = async (threadId: string, text: string, files: readonly File[]): Promise<SentQuestion> => {
    const sent = files.length === 0 ? [] : await attachments.prepare(threadId, files);
    for (;;) {
      await conversations.load(threadId);
      await conversations.refreshed();
      if (!hasThread(store.get(), threadId)) throw new Error(`Nitka: the thread "${threadId}" was deleted meanwhile.`);
      const conversation = readyConversation(store.get(), threadId);
      if (!conversation) {
        const { load } = conversationOf(store.get(), threadId);
        // The messages were dropped from memory because other threads were opened meanwhile.
        if (load.status === "absent") continue;
        const reason = load.status === "failed" ? load.failure.detail : "it is missing";
        throw new Error(`Nitka: the history of the thread "${threadId}" could not be loaded: ${reason}`);
      }
      if (!conversation.run) {
        const question = { content: text, ...(sent.length > 0 && { attachments: sent }) };
        const confirmed = Promise.withResolvers<void>();
        const messageId = runs.ask({
          threadId,
          conversation,
          question,
          onConfirmed: confirmed.resolve,
          onUnconfirmed: confirmed.reject,
        });
        await confirmed.promise;
        return { threadId, messageId };
      }
      await until(context, (state) => !isRunning(state, threadId));
    }
  };

  /** Asks after the thread's earlier questions. */
  const askInOrder = (threadId: string, text: string, files: readonly File[]): Promise<SentQuestion> => {
    const before = sending.get(threadId) ?? Promise.resolve();
    const asked = before.then(() => ask(threadId, text, files));
    const last = asked.catch(() => undefined).finally(() => sending.get(threadId) === last && sending.delete(threadId));
    sending.set(threadId, last);
    return asked;
  };

  // The panel, the focus and the notice need no thread, so these commands do not wait for others.
  const setPanel = async (open: boolean) => store.set((state) => setPanelOpen(state, open));

  return (isEarly) => ({
    open: () => setPanel(true),
    close: () => setPanel(false),
    async focus() {
      await setPanel(true);
      context.focusComposer();
    },
    async send(text, { files = [], threadId } = {}) {
      if (typeof text !== "string" || text.trim() === "") throw new TypeError("Nitka: send needs a text.");
      // Only the choice of the thread takes a turn. The wait for the answer does not delay commands for other threads. The
      // promise is wrapped because the turn would otherwise await it.
      const { sent } = await inTurn(async () => ({ sent: askInOrder(await threadFor(threadId), text, files) }));
      return sent;
    },
    newThread: () =>
      inTurn(async () => {
        const open = await activeThread();
        const isNew = isEarly && open !== undefined && readyConversation(store.get(), open)?.messages.length === 0;
        return { threadId: isNew ? open : await threads.create() };
      }),
    selectThread: (threadId) =>
      inTurn(async () => {
        await listLoaded();
        if (!(await threads.find(threadId)))
          throw new Error(`Nitka: there is no thread "${threadId}" of this visitor.`);
        void threads.open(threadId);
      }),
    async stop() {
      const { stopped } = await inTurn(async () => {
        const threadId = await activeThread();
        return { stopped: threadId === undefined ? undefined : runs.stop(threadId) };
      });
      return stopped;
    },
    async notify(text) {
      if (typeof text !== "string" || text.trim() === "") throw new TypeError("Nitka: notify needs a text.");
      if (!context.hasLauncher) throw new Error('Nitka: notify needs the layout "launcher".');
      store.set((state) => setNotice(state, { text }));
    },
    eraseVisitor: () =>
      inTurn(async () => {
        if (!context.transport.eraseVisitor) throw new Error("Nitka: the backend cannot erase a visitor.");
        await context.transport.eraseVisitor();
        // Active runs and uploads would write to the empty state and to the backend.
        leave();
        // Drafts and unconfirmed questions also belong to the visitor.
        store.set((state) => {
          const { draftWithoutThread: _, ...rest } = state;
          return { ...rest, drafts: {}, conversations: {} };
        });
        context.forgetDrafts?.();
      }),
    setDraft: (text) =>
      inTurn(async () => {
        const threadId = await activeThread();
        store.set((state) => composer.changeDraft(state, threadId, (draft) => composer.setText(draft, text)));
      }),
  });
}
