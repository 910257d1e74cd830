/** Puts the parts of a widget together: state, transport, actions, view, and the effects that follow the page. */
import { randomId } from "@nitka/protocol/random-id";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { ActionContext, HostEvent } from "./actions/action-context.ts";
import { createActions } from "./actions/create-actions.ts";
import { wordsLocaleOf } from "./i18n/choose-locale.ts";
import { languageTag, withRegion } from "./i18n/language-of.ts";
import { loadChunk } from "./load-chunk.ts";
import { isIos, prefersReducedMotion } from "./browser/device.ts";
import { createPreviews, readDataUrl } from "./browser/files.ts";
import { createFrames } from "./browser/frames.ts";
import { createSafeStorage, storedKeys } from "./browser/storage.ts";
import { takeTurns } from "./browser/take-turns.ts";
import { createTimers } from "./browser/timers.ts";
import { claimAddress } from "./effects/claim-address.ts";
import { loadPersistDrafts } from "./effects/load-persist-drafts.ts";
import type { DraftPersistence } from "./effects/load-persist-drafts.ts";
import { loadStyles } from "./effects/load-styles.ts";
import { persistSidebar, readSidebarOpen } from "./effects/persist-sidebar.ts";
import { syncLocation } from "./effects/sync-location.ts";
import { threadIn } from "./effects/thread-address.ts";
import { watchConnection } from "./effects/watch-connection.ts";
import { isCompact } from "./effects/is-compact.ts";
import type { App, AppPlace } from "./element/app.ts";
import type { NitkaElement } from "./element/element-options.ts";
import { applyTheme } from "./element/theme.ts";
import { loadWords } from "./i18n/locales.ts";
import type { Words } from "./i18n/locales/ru.ts";
import { AFTER_VIEW_RETRY_MS } from "./timings.ts";
import type { WidgetOptions } from "./options.ts";
// Later chunks share these modules. The import here puts them into the app's file. Otherwise each module would be a file and a
// request of its own, or one chunk would load another to get it.
import "@nitka/protocol/data-url";
import "@nitka/protocol/mime-type";
import "./ui/primitives/adopt-styles.ts";
import "./ui/primitives/copy-icon-button.tsx";
import "./ui/primitives/use-scroll-edges.ts";
import "./ui/parts/load-tool-calls.ts";
import { createStore, watchValue } from "./store/create-store.ts";
import { initialState } from "./store/initial-state.ts";
import { connect } from "./transport/connect.ts";
import { ChatProvider } from "./ui/chat-context.tsx";
import type { Chat, HostViews } from "./ui/chat-context.tsx";
import { focusComposer } from "./ui/primitives/focus.ts";
import { Shell } from "./ui/shell/shell.tsx";

const loadConsent = loadChunk(() => import("./consent-gate.ts"));
const loadAfterView = loadChunk(() => import("./after-view.ts"));
const loadDraftCode = loadChunk(() => import("./effects/persist-drafts.ts"));
const loadLauncher = loadChunk(() => import("./ui/shell/launcher.tsx"));
const loadHostViews = loadChunk(() => import("./ui/host-view/create-host-views.tsx"));
const loadOverrideWords = loadChunk(() => import("./i18n/override-words.ts"));

/**
 * Renders a widget into its place. The widget lives until the place's signal aborts. Rejects if the signal aborts before the
 * first render.
 */
export async function createApp(place: AppPlace): Promise<App> {
  const { host, root, options, signal, emit, stylesheets, connectOptions } = place;
  const { layout, projectId, proxyUrl } = options;
  const language = languageTag(options.locale);
  const locale = wordsLocaleOf(language);
  const project = `${projectId}@${proxyUrl}`;
  // A page may have removed the console's methods.
  const logError = (what: unknown) => globalThis.console.error?.(what);
  const reportError = (cause: unknown) => {
    logError(cause);
    emit("error", cause instanceof Error ? cause : new Error(String(cause)));
  };
  const rules = claimAddress(options, place.ownsAddress, connectOptions.warn);
  let drafts: DraftPersistence | undefined;
  const onOtherVisitor = (isKnown?: boolean) => {
    place.restart();
    // Drafts are removed after the end, because what is ending may still write some. If the visitor may be the same, their
    // drafts stay until that is known.
    if (isKnown) drafts?.forget();
  };
  const hostViews = createStore<HostViews>({}, (notify) => notify(0));
  const showHostViews = async () => {
    const { renderers } = place.pageOffer();
    if (!renderers) return hostViews.set(() => ({}));
    const { createHostViews } = await loadHostViews();
    // The host may have set other renderers meanwhile.
    if (renderers === place.pageOffer().renderers)
      hostViews.set((before) => createHostViews(renderers, before, reportError));
  };
  showHostViews().catch(reportError);
  const storage = createSafeStorage(() => localStorage);
  const [connection, words, launcher, isStyled] = await Promise.all([
    connect({ ...connectOptions, storage }, onOtherVisitor),
    wordsOf(options, reportError),
    layout === "launcher" ? loadLauncher() : undefined,
    loadStyles(stylesheets.shell, signal),
  ]);
  const { config } = connection;
  const consent =
    config.consent &&
    (await (await loadConsent()).openConsent({ consent: config.consent, connection, storage, project }));
  const transport = consent?.transport ?? connection.transport;
  // The widget may have been destroyed meanwhile: anything that started now would never end.
  signal.throwIfAborted();

  const frames = createFrames();
  const timers = createTimers();
  const previews = createPreviews();
  const compact = isCompact(host);
  const store = createStore(
    initialState({
      config,
      sidebarOpen: readSidebarOpen(),
      compact,
      panelOpen: layout === "inline",
    }),
    frames.schedule,
  );
  const emitEvent = (event: HostEvent) => {
    // The visitor asks a question, or has asked one before: their token is kept from now on.
    if (event.type === "runstart") connection.remember();
    return emit(event.type, event.detail);
  };
  const container = document.createElement("div");
  const context: ActionContext = {
    store,
    transport,
    previews,
    prefersReducedMotion,
    readDataUrl,
    signal,
    now: () => Date.now(),
    newId: randomId,
    random: () => Math.random(),
    schedule: frames.schedule,
    after: timers.after,
    isHidden: () => document.hidden,
    logError,
    emit: emitEvent,
    pageOffer: place.pageOffer,
    onDraft: () => drafts?.begin(),
    forgetDrafts: () => drafts?.forget(),
    focusComposer: () => focusComposer(container),
    hasLauncher: layout === "launcher",
    inTurn: takeTurns(`nitka:${project}`, signal),
    addressedThread: () => threadIn(location, rules),
  };
  const made = createActions(context);
  const actions = consent ? consent.guard(made, context) : made;
  const session = () => sessionStorage;
  drafts = loadPersistDrafts({
    loadCode: loadDraftCode,
    store,
    signal,
    storage: createSafeStorage(session),
    storedKeys: (prefix) => storedKeys(session, prefix),
    project,
    subject: connection.subject,
    pictureOf: async ({ url }) => {
      const address = transport.resolveUrl(url);
      return transport.loadFile?.(address, signal) ?? address;
    },
    after: timers.after,
  });
  const chat: Chat = {
    store,
    actions,
    words,
    locale,
    language: withRegion(language, navigator.languages),
    layout,
    styleAnswers: () => loadStyles(stylesheets.answers, signal),
    afterView: loadAfterView.arrived(),
    copyFor: async (...of) => (await loadAfterView()).copyFor(...of),
    reportError,
    hostViews,
    signal,
    productUrl: new URL("/", proxyUrl).href,
    enterBreaksLine: isIos(navigator),
    resolveUrl: transport.resolveUrl,
    loadFile: transport.loadFile,
    now: () => Date.now(),
  };

  // The container is hidden until its stylesheets show it. An element that moves in the page loads its stylesheets again and
  // must not be drawn without them. If they take too long, the widget is shown without them.
  container.style.cssText = `display:${isStyled ? "none" : "contents!important"}`;
  container.lang = language;
  const removeTheme = applyTheme(root, config.theme ?? {});
  root.append(container);
  const view = createRoot(container, { onUncaughtError: reportError });
  flushSync(() =>
    view.render(
      <ChatProvider chat={chat}>
        <Shell Launcher={launcher?.Launcher} />
      </ChatProvider>,
    ),
  );
  const stops = [
    syncLocation({ store, actions, rules, window }),
    persistSidebar(store),
    watchValue(
      store,
      ({ threads }) => threads.activeId,
      (threadId) => threadId !== undefined && emit("threadchange", { threadId }),
    ),
    watchValue(
      store,
      ({ panelOpen }) => panelOpen,
      (isOpen) => emit(isOpen ? "open" : "close", {}),
    ),
    () => {
      // The page has named the visitor for the first time, so the open panel is theirs. For another visitor it closes.
      const isFirstNamed = !options.visitorToken && place.visitorToken();
      if (isFirstNamed && launcher && store.get().panelOpen) void (host as NitkaElement).handle.open();
    },
    () => view.unmount(),
    () => container.remove(),
    removeTheme,
    timers.stop,
    frames.stop,
    previews.stop,
  ];
  const { askWho } = connection;
  const getAfterView = () => void loadAfterView().catch(() => timers.after(AFTER_VIEW_RETRY_MS, getAfterView));
  getAfterView();
  void loadAfterView.arrived().then(({ startAfterView }) => {
    if (!signal.aborted) startAfterView({ ...options, ...place, compact, store, actions, askWho });
  });
  watchConnection(actions, signal);
  // Each stop has its own listener, so that one that throws does not prevent the others.
  for (const stop of stops) signal.addEventListener("abort", stop);
  void actions.start();
  const before = place.launcher?.remove();
  if (before?.isPressed) actions.openPanel();
  else if (before?.hasFocus) container.querySelector<HTMLElement>("[data-launcher-button]")?.focus();

  return {
    commands: actions.host,
    changed(option) {
      if (option === "visitorToken") actions.reconnect();
      if (option.startsWith("visitor")) void askWho?.(option === "visitorId");
      if (option === "tools") actions.changePageOffer();
      if (option === "renderers") showHostViews().catch(reportError);
    },
  };
}

/** The locale's words, some of them replaced by the host's. */
async function wordsOf({ locale, words: own }: WidgetOptions, tell: (error: Error) => void): Promise<Words> {
  const loaded = loadWords(wordsLocaleOf(locale));
  if (!own) return loaded;
  const [words, { overrideWords }] = await Promise.all([loaded, loadOverrideWords()]);
  return overrideWords(words, own, tell);
}
