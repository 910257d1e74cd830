/** `<nitka-chat>`: an element with a shadow root, which contains a widget while the element is in a page. */
import type { PageOffer } from "../actions/tools/page-offer.ts";
import type { NitkaEvents, NitkaHandle, WidgetOptions } from "../options.ts";
import { readOptions } from "../options.ts";
import type { App, ElementEnvironment, Launcher } from "./app.ts";
import type { Act } from "./create-handle.ts";
import { createHandle } from "./create-handle.ts";
import { deferred } from "./deferred.ts";
import type { Given, OptionName } from "./element-options.ts";
import { attributeNames, canGoOn, defineOptions, optionNames, optionOf, uncoverOptions } from "./element-options.ts";
import type { HostCalls } from "./host-calls.ts";
import { beginCalls, rejectCalls } from "./host-calls.ts";
import { CONTAINER_ATTRIBUTE, KEY_EVENTS, reflectOptions } from "./page-side.ts";
import { START_RETRY_MAX_MS, START_RETRY_MS } from "../timings.ts";
import { isBrowserTooOld } from "./is-browser-too-old.ts";
import type { Stylesheets } from "./stylesheets.ts";

export function createElementClass(environment: ElementEnvironment): CustomElementConstructor {
  const { scriptUrl, style, connectOptions, loadApp, loadLauncher, loadRefusal } = environment;
  /** The signal of the widget that writes each kind of address: the first one that started, until its signal aborts. */
  const writers = new Map<string, AbortSignal>();
  class NitkaChat extends HTMLElement {
    static readonly observedAttributes = attributeNames;
    /** The app's module. The build makes lazy chunks import from here what they share with the app (app-exports.ts). */
    declare static app: unknown;

    readonly #root: ShadowRoot;
    /** The last values of properties and attributes. */
    readonly #given: Given = {};
    #ready = deferred<void>();
    readonly handle: NitkaHandle = createHandle({
      element: this,
      ready: () => this.#ready.promise,
      command: (act) => this.#do(act),
      ifAwake: (act) => this.#doIfAwake(act),
      restart: () => this.#restart(),
      setColorScheme: (colorScheme) => this.setOption("colorScheme", colorScheme),
      destroy: () => this.#destroy(),
    });
    #stylesheets: Stylesheets | undefined;
    /** The current widget's controller; aborted when the widget ends. */
    #life: AbortController | undefined;
    /** The values from which the current options were read. All of them are valid. */
    #values: Given | undefined;
    #options: WidgetOptions | undefined;
    /** The options that the current widget started with. */
    #begun: WidgetOptions | undefined;
    /** The options that have changed in this task, or while the element was not in a page. */
    readonly #changed = new Set<OptionName>();
    #app: App | undefined;
    /** The button that is alone on the page until there is an app. */
    #launcher: Launcher | undefined;
    readonly #calls: HostCalls = new Map();
    /** Why there is no widget. Every call is rejected with this error. */
    #failure: Error | undefined;
    /** The delay before the current attempt to start; 0 for the first. */
    #retryMs = 0;
    #retryTimer: ReturnType<typeof setTimeout> | undefined;
    readonly #retry = () => this.#begin();
    #isAnnounced = false;
    #isDestroyed = false;

    constructor() {
      super();
      this.#root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
      for (const type of KEY_EVENTS) {
        this.addEventListener(type, (event) => event.target === this && event.stopPropagation());
      }
    }

    connectedCallback(): void {
      uncoverOptions(this as Given);
      if (this.#life) this.#decide();
      else this.#begin();
    }

    disconnectedCallback(): void {
      // An element that is moved is removed and inserted in the same task. Its widget stays.
      setTimeout(() => this.isConnected || this.#end());
    }

    adoptedCallback(): void {
      // Constructed stylesheets do not move to another document. An app restores its own; a launcher's button starts again.
      if (!this.#app) this.#end();
    }

    attributeChangedCallback(attribute: string, _: string | null, after: string | null): void {
      const name = optionOf(attribute);
      // An attribute that the widget itself reflects has the option's value already.
      if (name && this.#given[name] !== after) this.setOption(name, after);
    }

    getOption(name: OptionName): unknown {
      return this.#given[name] ?? undefined;
    }

    setOption(name: OptionName, value: unknown): void {
      this.#given[name] = value;
      this.#changed.add(name);
      if (this.isConnected) this.#decide();
    }

    /** This runs in a microtask, so that options that change together restart the widget once. */
    #decide(): void {
      queueMicrotask(() => {
        const names = [...this.#changed];
        const begun = this.#begun;
        const options = this.#read();
        const isSame = options && begun && canGoOn(begun, options);
        // A visitor token that is added or removed changes the visitor.
        if (!isSame || !this.#life || !begun.visitorToken !== !options.visitorToken) return this.#restart(isSame);
        reflectOptions(this, options);
        for (const name of names) this.#app?.changed(name);
      });
    }

    /** @param keepsLauncher whether a button that stands alone stays: it shows nothing of a visitor, and a press of it still counts */
    #restart(keepsLauncher?: boolean): void {
      this.#end(keepsLauncher);
      this.#begin();
    }

    #begin(): void {
      if (this.#life || this.#isDestroyed || !this.isConnected) return;
      const options = this.#read();
      if (!options) return;
      this.#forgive();
      this.#begun = options;
      this.#life = new AbortController();
      reflectOptions(this, options);
      void this.#live(options, this.#life.signal);
    }

    async #live(options: WidgetOptions, signal: AbortSignal): Promise<void> {
      const isTooOld = isBrowserTooOld();
      const address = options.routing + options.basePath;
      if (writers.get(address)?.aborted !== false) writers.set(address, signal);
      const place = { host: this, root: this.#root, options, signal };
      try {
        if (isTooOld) (await loadRefusal()).refuseBrowser(place);
        const visitorToken = () => this.#options?.visitorToken;
        const stylesheets = () => (this.#stylesheets ??= style(this.#root));
        const load = () => {
          // The app is requested first, because the view waits for it longest. The app handles a failure of the styles.
          const loading = loadApp();
          const styling = stylesheets().shell();
          styling.catch(() => undefined);
          return loading;
        };
        // Everything that is needed next is requested at once.
        const launcherCode = options.layout === "launcher" && !this.#calls.size && loadLauncher();
        const appCode = !launcherCode && load();
        const connection = connectOptions({ ...place, visitorToken });
        // A closed launcher is only a button. The app loads when the visitor or the host needs it.
        if (launcherCode) {
          const { showLauncher } = await launcherCode;
          this.#launcher ??= await showLauncher({ ...place, connectOptions: connection });
          signal.throwIfAborted();
          this.#announce();
          if (!this.#calls.size) await this.#launcher.wanted;
          signal.throwIfAborted();
        }
        const loaded = await (appCode || load());
        NitkaChat.app = loaded;
        signal.throwIfAborted();
        const app = await loaded.createApp({
          ...place,
          stylesheets: stylesheets(),
          connectOptions: connection,
          visitorToken,
          pageOffer: () => this.#given as PageOffer,
          launcher: this.#launcher,
          restart: () => this.#restart(),
          ownsAddress: writers.get(address) === signal,
          emit: (event, detail) => signal.aborted || this.#emit(event, detail),
        });
        signal.throwIfAborted();
        this.#app = app;
        beginCalls(this.#calls, app);
        this.#announce();
      } catch (error) {
        if (signal.aborted) return;
        // An automatic retry fails silently.
        if (!this.#retryMs || this.#calls.size) this.#report(error, true);
        // The host may have destroyed the widget in its error handler.
        if (isTooOld || signal.aborted) return;
        const launcher = this.#launcher;
        this.#end();
        this.#forgive();
        // The button retries when it is pressed.
        if (launcher) return this.#begin();
        this.#retryMs = Math.min(4 * this.#retryMs || START_RETRY_MS, START_RETRY_MAX_MS);
        this.#retryTimer = setTimeout(this.#retry, this.#retryMs);
        addEventListener("online", this.#retry);
      }
    }

    /** Clears the failure: a widget may be possible after all. */
    #forgive(): void {
      if (this.#failure && !this.#isAnnounced) this.#ready = deferred();
      this.#failure = undefined;
    }

    /** Resolves `ready` and emits the event once, after the first render. */
    #announce(): void {
      this.#retryMs = 0;
      if (this.#isAnnounced) return;
      this.#isAnnounced = true;
      this.#ready.resolve();
      this.#emit("ready", this.handle);
    }

    #end(keepsLauncher?: boolean): void {
      if (!keepsLauncher) this.#launcher = void this.#launcher?.remove();
      rejectCalls(this.#calls, new Error("Nitka: the widget restarted."));
      clearTimeout(this.#retryTimer);
      removeEventListener("online", this.#retry);
      // A command that the app gives while it ends waits for the next app.
      this.#app = undefined;
      this.#life?.abort();
      this.#life = undefined;
    }

    #destroy(): void {
      this.#isDestroyed = true;
      this.#fail(new Error("Nitka: the widget is destroyed."));
      const { parentElement } = this;
      (parentElement?.hasAttribute(CONTAINER_ATTRIBUTE) ? parentElement : this).remove();
      this.#end();
    }

    /** Reads the options that have changed. An invalid option is reported, and keeps its old value if it had one. */
    #read(names: readonly OptionName[] = this.#values ? [...this.#changed] : optionNames): WidgetOptions | undefined {
      const before = this.#values;
      const values: Given = { ...before };
      for (const name of names) values[name] = this.#given[name];
      this.#changed.clear();
      try {
        this.#options = readOptions(values, { scriptUrl, pageUrl: location.href });
        this.#values = values;
      } catch (error) {
        // Each option is read separately, so that an invalid one does not block the others.
        if (before && names.length > 1) for (const name of names) this.#read([name]);
        else this.#report(error, !before);
      }
      return this.#options;
    }

    #emit<E extends keyof NitkaEvents>(event: E, detail: NitkaEvents[E]): void {
      try {
        this.#options?.on[event]?.(detail);
      } catch (error) {
        // An error in the host's code goes to the page's `reportError`, not to the widget's `error` event.
        reportError(error);
      }
      this.dispatchEvent(new CustomEvent(`nitka-${event}`, { detail, bubbles: true, composed: true }));
    }

    /** Reports an error to the page and the host. `isEnd`: there is no widget now, so calls are rejected. */
    #report(cause: unknown, isEnd: boolean): void {
      const error = cause as Error;
      // Browsers that are too old may lack it.
      globalThis.reportError?.(error);
      if (isEnd) this.#fail(error);
      this.#emit("error", error);
    }

    /** Rejects all calls: those that wait and later ones. */
    #fail(reason: Error): void {
      this.#failure = reason;
      this.#ready.reject(reason);
      rejectCalls(this.#calls, reason, true);
    }

    #do<T>(act: Act<T>): Promise<T> {
      const { promise, resolve, reject } = deferred<T>();
      if (this.#failure) reject(this.#failure);
      else {
        this.#calls.set(reject, (app) => void app.commands().then(act).then(resolve, reject));
        this.#begin();
        this.#launcher?.want();
        if (this.#app) beginCalls(this.#calls, this.#app);
        const forget = () => this.#calls.delete(reject);
        promise.then(forget, forget);
      }
      return promise;
    }

    /** For `close` and `stop`, which do nothing in a launcher whose app was never loaded. */
    #doIfAwake(act: Act<void>): Promise<void> {
      const isAsleep = !this.#app && !this.#calls.size && this.#options?.layout === "launcher";
      return isAsleep && !this.#failure ? Promise.resolve() : this.#do(act);
    }
  }
  defineOptions(NitkaChat.prototype);
  return NitkaChat;
}
