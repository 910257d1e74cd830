/** Renders a view for tests. The test sets the state, and the actions only record their calls. */
import { act } from "react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { Actions } from "../actions/actions.ts";
import { ru } from "../i18n/locales/ru.ts";
import { createStore } from "../store/create-store.ts";
import { emptyConversation, initialState } from "../store/initial-state.ts";
import type { ChatState, Conversation } from "../store/state.ts";
import { ChatProvider } from "./chat-context.tsx";
import type { Chat, HostViews } from "./chat-context.tsx";

export interface ScriptedChat {
  /** The shadow root that the view is rendered into. */
  readonly root: ShadowRoot;
  /** Every call of an action, as its name and arguments. */
  readonly asked: readonly (readonly unknown[])[];
  /** Every error that was reported. */
  readonly reported: readonly unknown[];
  readonly set: (change: (state: ChatState) => ChatState) => void;
  /** Replaces the view with another. */
  readonly show: (view: ReactNode) => void;
  readonly unmount: () => void;
}

/** Renders a view inside a shadow root, as in a page. */
export function renderChat(view: ReactNode, state: Partial<ChatState> = {}, given: Partial<Chat> = {}): ScriptedChat {
  // React's `act` requires this flag.
  Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);
  const host = document.createElement("div");
  document.body.append(host);
  const root = host.attachShadow({ mode: "open" });
  const container = document.createElement("div");
  root.append(container);

  const asked: (readonly unknown[])[] = [];
  const reported: unknown[] = [];
  const start = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  const store = createStore<ChatState>({ ...start, ...state }, (callback) => callback(0));
  const actions = new Proxy({} as Actions, {
    get:
      (_, name) =>
      (...args: readonly unknown[]) => {
        asked.push([name, ...args]);
        return Promise.resolve();
      },
  });
  const chat: Chat = {
    store,
    actions,
    words: ru,
    locale: "ru",
    language: "ru",
    layout: "inline",
    productUrl: "/",
    enterBreaksLine: false,
    resolveUrl: (url) => new URL(url, "https://backend.example/").href,
    now: () => Date.parse("2026-11-21T12:00:00"),
    styleAnswers: () => Promise.resolve(),
    afterView: new Promise(() => undefined),
    copyFor: () => Promise.resolve(),
    reportError: (error) => reported.push(error),
    hostViews: createStore<HostViews>({}, (notify) => notify(0)),
    signal: new AbortController().signal,
    ...given,
  };
  const mounted = createRoot(container, { onCaughtError: () => undefined });
  const show = (shown: ReactNode) => act(() => mounted.render(<ChatProvider chat={chat}>{shown}</ChatProvider>));
  show(view);
  return {
    root,
    asked,
    reported,
    set: (change) => act(() => store.set(change)),
    show,
    unmount() {
      act(() => mounted.unmount());
      host.remove();
    },
  };
}

/** A state with one open thread, `t1`, which has this conversation. */
export function withConversation(conversation: Partial<Conversation>): Partial<ChatState> {
  const start = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  return {
    threads: {
      ...start.threads,
      load: { status: "ready" },
      items: [{ threadId: "t1", title: "Погода", updatedAt: "2026-11-21T10:00:00" }],
      activeId: "t1",
    },
    conversations: { t1: { ...emptyConversation, load: { status: "ready" }, ...conversation } },
  };
}
