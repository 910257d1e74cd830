/** What a host page has done: in its order, each command for the thread that is active at its turn. */
import { conversationOf, isRunning, readyConversation } from "../store/selectors.ts";
import * as composer from "../store/composer.ts";
import { setNotice, setPanelOpen } from "../store/panel.ts";
import type { ActionContext } from "./action-context.ts";
import { holds, until } from "./action-context.ts";
import type { HostCommands, SentQuestion } from "./actions.ts";
import type { Attachments } from "./attachments.ts";
import type { Conversations } from "./conversation.ts";
import type { Runs } from "./run.ts";
import type { Threads } from "./threads.ts";

interface HostCommandsOptions {
  readonly context: ActionContext;
  readonly threads: Pick<Threads, "chosen" | "create" | "find" | "open">;
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly attachments: Attachments;
}

/** @returns the commands; told of one that was given before a thread was open, since the widget may make one by itself */
export function createHostCommands(options: HostCommandsOptions): (isEarly: boolean) => HostCommands {
  const { context, threads, conversations, runs, attachments } = options;
  const { store } = context;
  let turn: Promise<unknown> = Promise.resolve();
  /** What was sent last in each thread, until the backend has heard it. */
  const lanes = new Map<string, Promise<unknown>>();

  const inTurn = <T>(act: () => T | Promise<T>): Promise<T> => {
    const done = turn.then(act);
    turn = done.catch(() => undefined);
    return done;
  };

  const listed = async () => {
    await until(context, (state) => state.threads.load.status !== "loading");
    const { load } = store.get().threads;
    if (load.status === "failed")
      throw new Error(`Nitka: the list of threads could not be loaded: ${load.failure.detail}`);
  };

  const activeThread = async (): Promise<string | undefined> => {
    await listed();
    await threads.chosen();
    return store.get().threads.activeId;
  };

  /** The thread that a question goes to, made if there is none yet. */
  const threadFor = async (threadId: string | undefined): Promise<string> => {
    await listed();
    if (threadId === undefined) return (await activeThread()) ?? threads.create();
    if (await threads.find(threadId)) return threadId;
    throw new Error(`Nitka: there is no thread "${threadId}" of this visitor.`);
  };

  const ask = async (threadId: string, text: string, files: readonly File[]): Promise<SentQuestion> => {
    const sent = files.length === 0 ? [] : await attachments.prepare(threadId, files);
    for (;;) {
      await conversations.load(threadId);
      if (!holds(store.get(), threadId)) throw new Error(`Nitka: the thread "${threadId}" was deleted meanwhile.`);
      const conversation = readyConversation(store.get(), threadId);
      if (!conversation) {
        const { load } = conversationOf(store.get(), threadId);
        const reason = load.status === "failed" ? load.failure.detail : "it is not there";
        throw new Error(`Nitka: the history of the thread "${threadId}" could not be loaded: ${reason}`);
      }
      if (!conversation.run) {
        const question = { content: text, ...(sent.length > 0 && { attachments: sent }) };
        const heard = Promise.withResolvers<void>();
        const messageId = runs.ask(threadId, conversation, question, { heard: heard.resolve, unheard: heard.reject });
        await heard.promise;
        return { threadId, messageId };
      }
      await until(context, (state) => !isRunning(state, threadId));
    }
  };

  const setPanel = (open: boolean) => inTurn(() => store.set((state) => setPanelOpen(state, open)));

  return (isEarly) => ({
    open: () => setPanel(true),
    close: () => setPanel(false),
    async focus() {
      await setPanel(true);
      context.focusComposer();
    },
    async send(text, { files = [], threadId } = {}) {
      if (typeof text !== "string" || text.trim() === "") throw new TypeError("Nitka: send needs a text.");
      // Only the choice of the thread takes the turn: waiting for it holds up no other thread's command.
      const { sent } = await inTurn(async () => {
        const place = await threadFor(threadId);
        const before = lanes.get(place) ?? Promise.resolve();
        const mine = before.then(() => ask(place, text, files));
        const lane = mine.catch(() => undefined).finally(() => lanes.get(place) === lane && lanes.delete(place));
        lanes.set(place, lane);
        return { sent: mine };
      });
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
        await listed();
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
      if (!context.hasLauncher) throw new Error("Nitka: only a launcher notifies: this widget is a part of the page.");
      return inTurn(() => store.set((state) => setNotice(state, { text })));
    },
    eraseVisitor: () =>
      inTurn(async () => {
        if (!context.transport.eraseVisitor) throw new Error("Nitka: the backend does not offer to erase a visitor.");
        await context.transport.eraseVisitor();
        // Drafts and questions that the backend has not confirmed are the visitor's too.
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
