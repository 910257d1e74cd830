/** A page with one widget without a view: the element, its app, and the actions of its visitor. */
import { createSafeStorage } from "../browser/storage.ts";
import { linkStylesheets } from "../element/stylesheets.ts";
import { vi } from "vitest";
import type { Actions } from "../actions/actions.ts";
import { createActions } from "../actions/create-actions.ts";
import { createTimers } from "../browser/timers.ts";
import { connectOptions } from "../connect-options.ts";
import type { AppPlace, CreateApp } from "../element/app.ts";
import { createInit } from "../init.ts";
import type { NitkaHandle, NitkaOptions } from "../options.ts";
import { createStore } from "../store/create-store.ts";
import type { Store } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import type { ChatState } from "../store/state.ts";
import { connect } from "../transport/connect.ts";
import type { Transport } from "../transport/transport.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import type { ScriptedNetwork } from "./scripted-network.ts";

/** What a visitor can use while the widget lives. */
export interface VisitorApp {
  readonly store: Store<ChatState>;
  readonly actions: Actions;
}

export interface ScriptedPage {
  readonly handle: NitkaHandle;
  /** The events for the host, in order. */
  readonly told: readonly string[];
  /** The errors that were reported as uncaught. */
  readonly reported: readonly string[];
  app(): VisitorApp | undefined;
}

/** Destroys the last page's widget. */
let leave: () => void = () => undefined;

interface PageOptions {
  readonly options: Omit<NitkaOptions, "target" | "on">;
  readonly network: ScriptedNetwork;
  readonly clock: ScriptedClock;
  readonly upload: Transport["uploadAttachment"];
}

const FRAME_MS = 16;

const environment = {
  scriptUrl: "https://chat.example/widget/nitka.js",
  style: linkStylesheets("https://chat.example/widget/nitka.js", ""),
  connectOptions,
  loadApp: () => Promise.resolve({ createApp: (place: AppPlace) => create(place) }),
  loadLauncher: () => import("../launcher.ts"),
  loadRefusal: () => Promise.reject(new Error("No browser is too old here.")),
};
/** Creates the element's apps. The element's class is defined once, but each life has its own apps. */
let create: CreateApp = () => Promise.reject(new Error("There is no page."));

export function openScriptedPage({ options, network, clock, upload }: PageOptions): ScriptedPage {
  leave();
  const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
  settings.handleDisabledFileLoadingAsSuccess = true;
  const told: string[] = [];
  const reported: string[] = [];
  let app: VisitorApp | undefined;
  vi.stubGlobal("fetch", network.fetch);
  vi.stubGlobal("reportError", (error: unknown) => reported.push(String(error)));
  vi.stubGlobal("console", { ...console, warn: () => undefined, error: () => undefined });

  create = async (place) => {
    const { options: given, signal, emit } = place;
    const { config, transport } = await connect({
      ...place.connectOptions,
      storage: createSafeStorage(() => globalThis.localStorage),
    });
    signal.throwIfAborted();
    const timers = createTimers();
    const schedule = (callback: (time: number) => void) =>
      void timers.after(FRAME_MS, () => callback(clock.now() - Date.UTC(2026, 0)));
    const isInline = given.layout === "inline";
    const store = createStore(
      initialState({ config, sidebarOpen: true, compact: false, panelOpen: isInline }),
      schedule,
    );
    let ids = 0;
    const actions = createActions({
      store,
      transport: config.features?.upload && upload ? { ...transport, uploadAttachment: upload } : transport,
      schedule,
      signal,
      now: () => clock.now(),
      newId: () => `${lives}.${(ids += 1)}`,
      after: (ms, callback) => timers.after(ms, callback),
      random: () => 0.5,
      isHidden: () => false,
      prefersReducedMotion: () => false,
      previews: { create: (file) => `blob:${file.name}`, release: () => undefined },
      readDataUrl: (file) => Promise.resolve(`data:${file.type};base64,${file.name}`),
      logError: () => undefined,
      emit: ({ type, detail }) => emit(type, detail),
      pageOffer: place.pageOffer,
      focusComposer: () => undefined,
      hasLauncher: !isInline,
      inTurn: (_, act) => act(true),
      addressedThread: () => undefined,
    });
    const mine = { store, actions };
    lives += 1;
    app = mine;
    signal.addEventListener("abort", () => {
      timers.stop();
      if (app === mine) app = undefined;
    });
    place.launcher?.remove();
    void actions.start();
    return { commands: () => actions.host(), changed: () => actions.reconnect() };
  };
  let lives = 0;

  const note = (name: string) => (detail: unknown) =>
    void told.push(`${name} ${detail instanceof Error ? detail.message : ""}`);
  const names = ["ready", "error", "threadchange", "message", "runstart", "runend"] as const;
  const handle = createInit(environment)({
    ...options,
    target: document.body,
    on: Object.fromEntries(names.map((name) => [name, note(name)])),
  });
  for (const name of names) handle.element.addEventListener(`nitka-${name}`, () => note(`nitka-${name}`)(undefined));
  leave = () => handle.destroy();
  return { handle, told, reported, app: () => app };
}
