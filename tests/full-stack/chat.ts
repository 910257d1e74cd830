import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import { randomId } from "@nitka/protocol/random-id";
import { createChatServer, openSqliteStorage } from "@nitka/server";
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

/** A frame, as soon as there may be one; writers of answers go by its time. */
function nextFrame(callback: (time: number) => void): void {
  setTimeout(() => callback(performance.now()), 0);
}

/** The widget without its view: its state, its actions and its transport on a visitor's `fetch`. */
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
    // Waits are as long as in life for one another, and a hundred times shorter for us.
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
    signal,
  });
  await actions.start();
  const visibleBranch = createVisibleBranch();
  const active = () => store.get().threads.activeId ?? "";
  const conversation = () => conversationOf(store.get(), active());

  const until = (isSo: () => boolean): Promise<void> => {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (!isSo()) return;
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
    /** The shown branch: what each message says, and where it stands among its siblings. */
    shown: () =>
      visibleBranch(conversation()).map(
        ({ message, number, count }) => `${message.role}: ${textOf(message)} (${number}/${count})`,
      ),
    /** The shown branch as it is. */
    messages: (): readonly Message[] => visibleBranch(conversation()).map(({ message }) => message),
    idle: () => until(() => conversation().run === undefined),
    async ask(text: string) {
      await actions.sendText(active(), text);
      await until(() => conversation().run === undefined);
    },
    close: () => controller.abort(),
  };
}
