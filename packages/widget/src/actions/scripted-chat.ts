/** A whole widget without view, network and page, for tests and experiments. A script is the backend. */
import type { Message, ServerConfig, StreamEvent } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import { conversationOf } from "../store/selectors.ts";
import { createVisibleBranch } from "../store/visible-branch.ts";
import type { Script, ScriptedRun } from "../transport/scripted-transport.ts";
import { createScriptedTransport } from "../transport/scripted-transport.ts";
import type { ActionContext, HostEvent } from "./action-context.ts";
import type { Actions } from "./actions.ts";
import { createActions } from "./create-actions.ts";
import { loadAnswerWriter } from "./runs/run-link.ts";

/** The start time of every script. */
export const noon = new Date(2026, 10, 21, 12);

/** Enough ticks for every promise that waits only for other promises. */
const TICKS = 50;

/**
 * Starts a chat on a scripted backend. It has one empty thread, `t1`, unless the script says otherwise.
 *
 * @param early called while the list of threads is loading
 *
 * @example
 * const chat = await startScriptedChat();
 * await chat.actions.sendText("t1", "Привет");
 * await chat.say({ type: "text-delta", delta: "Да" }, { type: "finish" });
 * chat.shown() // ["user: Привет", "assistant: Да [complete]"]
 */
export async function startScriptedChat(
  script: Partial<Script> = {},
  config: ServerConfig = {},
  world: Partial<ActionContext> = {},
  { early }: { readonly early?: (actions: Actions) => void } = {},
) {
  const runs: ScriptedRun[] = [];
  const calls: string[] = [];
  const logged: string[] = [];
  const events: HostEvent[] = [];
  const released: string[] = [];
  const controller = new AbortController();
  let frames: ((time: number) => void)[] = [];
  let frameTime = 0;
  const backend: Script = {
    threads: [{ threadId: "t1", updatedAt: noon.toISOString() }],
    messages: {},
    onRun: (run) => runs.push(run),
    ...script,
    before: (call, ...args) => {
      calls.push(call);
      return script.before?.(call, ...args);
    },
  };
  const transport = createScriptedTransport({
    script: backend,
    features: config.features ?? {},
    now: () => new Date(),
    newId: counter("new"),
  });
  const schedule = (callback: (time: number) => void) => void frames.push(callback);
  const store = createStore(initialState({ config, sidebarOpen: true, compact: false, panelOpen: true }), schedule);
  const actions = createActions({
    store,
    transport,
    schedule,
    now: () => Date.now(),
    newId: counter("id"),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
    isHidden: () => false,
    prefersReducedMotion: () => false,
    previews: { create: (file) => `blob:${file.name}`, release: (url) => void released.push(url) },
    readDataUrl: (file) => Promise.resolve(`data:${file.type};base64,${file.name}`),
    logError: (text) => void logged.push(text),
    emit: (event) => void events.push(event),
    addressedThread: () => undefined,
    focusComposer: () => undefined,
    hasLauncher: false,
    inTurn: (_, act) => act(true),
    signal: controller.signal,
    ...world,
  });
  // As on a page, the code that writes answers has loaded by the time the list of threads has. The code of refreshes and of
  // changes, which a page loads with the first one, is preloaded too, so that no script waits for it.
  await Promise.all([
    loadAnswerWriter(),
    import("./question-changes.ts"),
    import("./refresh.ts"),
    import("./thread-changes.ts"),
  ]);
  const started = actions.start();
  early?.(actions);
  await started;

  const visibleBranch = createVisibleBranch();
  const conversation = () => conversationOf(store.get(), store.get().threads.activeId);
  /** Runs everything that is due and draws a frame, by default long after the last one. */
  const settle = async (frameMs = 100) => {
    await ticks();
    const due = frames;
    frames = [];
    frameTime += frameMs;
    for (const callback of due) callback(frameTime);
    await ticks();
  };
  const last = () => {
    const run = runs.at(-1);
    if (!run) throw new Error("No run has begun.");
    return run;
  };
  return {
    store,
    actions,
    backend,
    runs,
    calls,
    logged,
    events,
    released,
    conversation,
    settle,
    last,
    /** Streams these events in the last run and draws a frame. */
    say(...said: readonly StreamEvent[]) {
      last().emit(said);
      return settle();
    },
    /** The shown branch, one line for each message. */
    shown: () => visibleBranch(conversation()).map(({ message, number, count }) => lineOf(message, number, count)),
    close: () => controller.abort(),
  };
}

/** The same, where the visitor has asked «Привет» in the thread `t1`. */
export async function startAskedChat(...started: Parameters<typeof startScriptedChat>) {
  const chat = await startScriptedChat(...started);
  await chat.actions.sendText("t1", "Привет");
  await chat.settle();
  return chat;
}

function lineOf(message: Message, number: number, count: number): string {
  const { status } = message;
  const error = status?.type === "incomplete" && status.error ? ` «${status.error}»` : "";
  const state = status?.type === "incomplete" ? `${status.reason}${error}` : status?.type;
  return `${message.role}: ${textOf(message)}${state ? ` [${state}]` : ""}${count > 1 ? ` ${number}/${count}` : ""}`;
}

async function ticks(): Promise<void> {
  for (let tick = 0; tick < TICKS; tick += 1) await Promise.resolve();
}

function counter(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count}`;
  };
}
