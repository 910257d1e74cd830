/** Random steps of a host and a visitor. */
import type { NitkaTools } from "../actions/tools/page-offer.ts";
import type { NitkaHandle, SentQuestion } from "../options.ts";
import type { ScriptedBackend } from "./scripted-backend.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import type { VisitorApp } from "./scripted-page.ts";
import type { ScriptedRandom } from "./scripted-random.ts";

/** A question that the host has sent. */
export interface Sent {
  readonly tag: string;
  readonly given: string | undefined;
  /** The thread that must be open when it is the question's turn, if that is known. */
  readonly place: Promise<string | undefined>;
  outcome?: SentQuestion | Error;
}

/** A question that the visitor has sent. */
export interface Asked {
  readonly tag: string;
  readonly threadId: string;
  readonly app: VisitorApp;
  /** Whether the visitor replaced the draft before it was sent. */
  isOverwritten: boolean;
}

interface HostOptions {
  readonly random: ScriptedRandom;
  readonly handle: NitkaHandle;
  readonly backend: ScriptedBackend;
  readonly newTag: (who: string) => string;
  readonly sent: Sent[];
  readonly place: () => Promise<string | undefined>;
}

interface HostStep {
  readonly name: string;
  readonly promise?: Promise<unknown>;
  /** The thread that the command opens, given the value that it resolves with. */
  readonly opens?: (result: unknown) => string;
}

/** Calls a random command of the handle. */
export function hostCommands({ random, handle, backend, newTag, sent, place }: HostOptions): () => HostStep {
  const anyThread = () => {
    const ids = backend.threadIds();
    return random.chance(0.1) ? "nowhere" : (ids[random.below(ids.length)] ?? "nowhere");
  };
  const send = (): HostStep => {
    const tag = newTag("host");
    const threadId = random.chance(0.3) ? anyThread() : undefined;
    const files = random.chance(0.15) ? [new File(["abc"], "a.png", { type: "image/png" })] : undefined;
    const question: Sent = { tag, given: threadId, place: place() };
    sent.push(question);
    const promise = handle.send(tag, { ...(files && { files }), ...(threadId !== undefined && { threadId }) });
    void promise.then(
      (outcome) => (question.outcome = outcome),
      (error: Error) => (question.outcome = error),
    );
    return { name: `send ${tag}${threadId === undefined ? "" : ` to ${threadId}`}${files ? ", file" : ""}`, promise };
  };
  return () => {
    const what = random.below(20);
    if (what < 9) return send();
    switch (what) {
      case 9:
      case 10:
        return {
          name: "newThread",
          promise: handle.newThread(),
          opens: (made) => (made as { readonly threadId: string }).threadId,
        };
      case 11:
      case 12:
      case 13: {
        const threadId = anyThread();
        return { name: `selectThread ${threadId}`, promise: handle.selectThread(threadId), opens: () => threadId };
      }
      case 14:
        return { name: "stop", promise: handle.stop() };
      case 15:
        return { name: "open", promise: handle.open() };
      case 16:
        return { name: "close", promise: handle.close() };
      case 17:
        return { name: "focus", promise: handle.focus() };
      case 18:
        handle.setColorScheme(random.pick(["light", "dark", "auto"]));
        return { name: "setColorScheme" };
      default:
        return { name: "setDraft", promise: handle.setDraft(newTag("draft")) };
    }
  };
}

interface ToolsOptions {
  readonly random: ScriptedRandom;
  readonly clock: ScriptedClock;
  readonly onRun: (toolCallId: string) => void;
}

/** The page's tools. Each call returns, throws, returns nothing or never ends. */
export function scriptedTools({ random, clock, onRun }: ToolsOptions): NitkaTools {
  const declared = { description: "Does something", parameters: { type: "object" } };
  const execute = async (_: unknown, { toolCallId }: { readonly toolCallId: string }): Promise<unknown> => {
    onRun(toolCallId);
    await new Promise<void>((resolve) => void clock.after(random.pick([0, 20, 700, 40_000, 1e9]), resolve));
    if (random.chance(0.2)) throw new Error("нет");
    return random.chance(0.1) ? undefined : { done: true };
  };
  return {
    buy: { ...declared, execute },
    look: { ...declared, repeatable: true, execute },
    confirm: { ...declared, confirm: "Точно?", execute },
  };
}

/** The page's context. It arrives at once, late, too late, never, or is absent. */
export function scriptedPageContext({ random, clock }: Omit<ToolsOptions, "onRun">): () => unknown {
  return () => {
    const ms = random.pick([0, 0, 700, 3000, 1e9]);
    if (random.chance(0.1)) throw new Error("нет");
    return ms === 0
      ? { page: "cart" }
      : new Promise((resolve) => void clock.after(ms, () => resolve({ page: "cart" })));
  };
}

interface VisitorOptions {
  readonly random: ScriptedRandom;
  readonly newTag: (who: string) => string;
  readonly asked: Asked[];
  readonly stopInTime: (app: VisitorApp, threadId: string) => void;
}

/** Calls a random action of a visitor, and returns its description. */
export function visitorActions({ random, newTag, asked, stopInTime }: VisitorOptions) {
  const ask = (app: VisitorApp, threadId: string, tag: string) => {
    for (const before of asked) if (before.threadId === threadId) before.isOverwritten = true;
    asked.push({ tag, threadId, app, isOverwritten: false });
  };
  return (app: VisitorApp): string => {
    const { store, actions } = app;
    const state = store.get();
    const { items, activeId } = state.threads;
    const any = items[random.below(items.length)]?.threadId;
    const threadId = random.chance(0.7) ? activeId : any;
    if (threadId === undefined) {
      void actions.ensureThread();
      return "ensureThread";
    }
    const { messages, edit } = state.conversations[threadId] ?? { messages: [], edit: undefined };
    const message = messages[random.below(messages.length)];
    const id = message?.id ?? "none";
    const isBusy = state.drafts[threadId]?.status === "waiting" || state.conversations[threadId]?.run !== undefined;
    const asking = Object.entries(state.conversations[threadId]?.run?.calls ?? {}).find(
      ([, call]) => call.type === "asking",
    );
    if (asking && random.chance(0.7)) {
      const approved = random.chance(0.6);
      void actions.decideTool(threadId, asking[0], approved);
      return `${approved ? "allow" : "deny"} ${asking[0]} in ${threadId}`;
    }
    switch (random.below(24)) {
      case 0:
      case 1:
      case 2: {
        const tag = newTag("visitor");
        if (isBusy) return "waits";
        ask(app, threadId, tag);
        actions.setDraft(threadId, tag);
        void actions.send(threadId);
        return `send ${tag} to ${threadId}`;
      }
      case 3: {
        const tag = newTag("press");
        if (isBusy) return "waits";
        ask(app, threadId, tag);
        void actions.sendText(threadId, tag);
        return `sendText ${tag} to ${threadId}`;
      }
      case 4:
        void actions.send(threadId);
        return `send again in ${threadId}`;
      case 5:
        void actions.newThread();
        return "newThread";
      case 6:
        if (any !== undefined) void actions.selectThread(any);
        return `selectThread ${any}`;
      case 7:
        void actions.archiveThread(threadId);
        return `archive ${threadId}`;
      case 8:
        void actions.renameThread(threadId, `Имя ${newTag("name")}`);
        return `rename ${threadId}`;
      case 9:
      case 10:
        stopInTime(app, threadId);
        return `stop ${threadId}`;
      case 11:
        actions.regenerate(threadId, id);
        return `regenerate ${id} in ${threadId}`;
      case 12:
      case 13:
        void actions.retry(threadId, id);
        return `retry ${id} in ${threadId}`;
      case 14:
        actions.beginEdit(threadId, id);
        return `edit ${id} in ${threadId}`;
      case 15: {
        const tag = newTag("edit");
        actions.setEditDraft(threadId, tag);
        void actions.submitEdit(threadId);
        return `submit ${edit ? tag : "nothing"} in ${threadId}`;
      }
      case 16:
        actions.selectBranch(threadId, id);
        return `branch ${id} in ${threadId}`;
      case 17:
        actions.addFiles(threadId, [new File(["abc"], "a.txt", { type: "text/plain" })]);
        return `file in ${threadId}`;
      case 18: {
        const [file] = state.drafts[threadId]?.attachments ?? [];
        if (file) actions.removeAttachment(threadId, file.id);
        return `no file in ${threadId}`;
      }
      case 19:
        void actions.reloadConversation(threadId);
        return `reload ${threadId}`;
      case 20:
        void actions.reloadThreads();
        return "reload list";
      case 21: {
        // Whether the requests succeed is independent of this.
        const isOffline = random.chance(0.5);
        actions.setOffline(isOffline);
        return isOffline ? "offline" : "online";
      }
      case 22:
        void actions.refresh();
        return "come back";
      default:
        actions.reconnect();
        return "reconnect";
    }
  };
}
