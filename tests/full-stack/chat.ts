import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import { randomId } from "@nitka/protocol/random-id";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { ChatServerOptions, Model } from "@nitka/server";
import { createScriptedModel } from "@nitka/server/testing";
import type { ScriptLine } from "@nitka/server/testing";
import { createActions } from "@nitka/widget/actions/create-actions";
import { createStore } from "@nitka/widget/store/create-store";
import { initialState } from "@nitka/widget/store/initial-state";
import { conversationOf } from "@nitka/widget/store/selectors";
import { createVisibleBranch } from "@nitka/widget/store/visible-branch";
import { fixedCredential } from "@nitka/widget/transport/credential";
import { createHttpTransport } from "@nitka/widget/transport/http-transport";
import { readConfig } from "@nitka/widget/transport/read-config";
import { fetchConfig } from "@nitka/widget/transport/fetch-config";

const origin = "http://chat.test";

/** Our server with a scripted model and without a port. Tests call its `fetch`. */
export async function startServer(
  script: (question: string) => readonly ScriptLine[],
  options: Partial<ChatServerOptions> & { readonly title?: string } = {},
) {
  const { title = "Название", ...rest } = options;
  const storage = await openSqliteStorage({ path: ":memory:" });
  const model: Model = createScriptedModel({
    script: ({ history }) => script(textOf(history.at(-1) ?? { content: "" })),
    title,
  });
  const server = createChatServer({
    storage,
    log: false,
    projects: {
      default: {
        models: [model],
        limits: { messagesPerMinute: null, addressMessagesPerMinute: null, requestsPerMinute: null },
      },
    },
    secret: "a secret of these tests alone",
    timings: { graceMs: 0, writeMs: 0 },
    ...rest,
  });
  return {
    fetch: server.fetch,
    async [Symbol.asyncDispose]() {
      await server.close();
      await storage.close();
    },
  };
}

export type Fetch = typeof globalThis.fetch;

/** The `fetch` of a visitor's browser: it stores cookies and sends them with each request. */
export function createVisitor(server: { readonly fetch: (request: Request) => Response | Promise<Response> }): Fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    if (cookies.size > 0)
      request.headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await server.fetch(request);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
}

/** Stands in for `requestAnimationFrame` without waiting for a frame. Its timestamp paces the streamed text. */
function nextFrame(callback: (time: number) => void): void {
  setTimeout(() => callback(performance.now()), 0);
}

/** Opens the widget without its view: its store, actions and transport, over a visitor's `fetch`. */
export async function openWidget(fetch: Fetch, { address }: { readonly address?: string } = {}) {
  const logged: string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const body = await fetchConfig({
    proxyUrl: origin,
    projectId: "default",
    credential: fixedCredential(undefined),
    fetch,
    warn: (text) => logged.push(text),
    signal,
  });
  const config = readConfig(body) ?? {};
  const transport = createHttpTransport(
    { base: origin, credentials: "include", credential: fixedCredential(undefined), signal, fetch },
    config.features,
  );
  const store = createStore(initialState({ config, sidebarOpen: true, compact: false, panelOpen: true }), nextFrame);
  const actions = createActions({
    store,
    transport,
    now: Date.now,
    newId: randomId,
    schedule: nextFrame,
    // All delays are a hundred times shorter, so their proportions stay.
    after(ms, callback) {
      const timer = setTimeout(callback, ms / 100);
      return () => clearTimeout(timer);
    },
    random: () => 0.5,
    isHidden: () => false,
    prefersReducedMotion: () => true,
    previews: { create: () => "", release: () => undefined },
    readDataUrl: () => Promise.reject(new Error("no files here")),
    logError: (text) => logged.push(text),
    emit: () => undefined,
    addressedThread: () => address,
    focusComposer: () => undefined,
    hasLauncher: false,
    inTurn: (_, act) => act(true),
    signal,
  });
  await actions.start();
  const visibleBranch = createVisibleBranch();
  const active = () => store.get().threads.activeId ?? "";
  const conversation = () => conversationOf(store.get(), active());

  const until = (condition: () => boolean): Promise<void> => {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (!condition()) return;
        stop();
        resolve();
      });
    });
  };

  return {
    actions,
    store,
    transport,
    logged,
    threadId: active,
    until,
    conversation,
    /** A line for each message of the shown branch: its role, its text, its number among its siblings and their count. */
    lines: () =>
      visibleBranch(conversation()).map(
        ({ message, number, count }) => `${message.role}: ${textOf(message)} (${number}/${count})`,
      ),
    /** The messages of the shown branch. */
    messages: (): readonly Message[] => visibleBranch(conversation()).map(({ message }) => message),
    idle: () => until(() => conversation().run === undefined),
    async ask(text: string) {
      await actions.sendText(active(), text);
      await until(() => conversation().run === undefined);
    },
    close: () => controller.abort(),
  };
}
