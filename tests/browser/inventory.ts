/** Counts what a page has started and not stopped, and what it contains. */
import type { Page } from "@playwright/test";

export interface Inventory {
  /** Listeners on targets that outlive a widget: the window, the page's own elements, media queries. */
  readonly listeners: readonly string[];
  readonly observers: readonly string[];
  /** Each entry has its delay and the stack of its caller, so that a leftover timer can be traced. */
  readonly timers: readonly string[];
  readonly requests: readonly string[];
  readonly elements: number;
  readonly head: number;
  readonly sheets: number;
  readonly attributes: readonly string[];
  readonly storage: readonly string[];
  readonly history: readonly unknown[];
}

/** Starts counting before the page's own scripts run. Returns a function that reads the inventory. */
export async function takeStock(page: Page): Promise<() => Promise<Inventory>> {
  await page.addInitScript(SCRIPT);
  return () => page.evaluate(() => (Reflect.get(window, "inventory") as () => Inventory)());
}

const SCRIPT = `{
  const held = { listeners: new WeakMap(), targets: new Set(), timers: new Map(), requests: new Set(), observers: new Map() };
  /** A node outside the page is collected together with its listeners. */
  const isKept = (target) => !(target instanceof Node) || target.isConnected;
  const isCounted = (target) =>
    [Window, Node, MediaQueryList, VisualViewport, Screen, Navigation].some((kind) => target instanceof kind) &&
    !(target.getRootNode?.() instanceof ShadowRoot);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const key = (type, options) => type + (options === true || options?.capture ? " capture" : "");
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener && isCounted(target) && !options?.signal?.aborted) {
      const all = held.listeners.get(target) ?? new Map();
      // The reference is weak, because counting must not keep a target alive.
      if (!held.listeners.has(target)) held.targets.add(new WeakRef(target));
      held.listeners.set(target, all);
      const id = key(type, options);
      const set = all.get(id) ?? new Set();
      all.set(id, set.add(listener));
      if (options?.signal) addEventListener.call(options.signal, "abort", () => set.delete(listener));
      if (options?.once) addEventListener.call(target, type, () => set.delete(listener), options);
    }
    return addEventListener.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    held.listeners.get(target)?.get(key(type, options))?.delete(listener);
    return removeEventListener.call(target, type, listener, options);
  };
  const timers = [["setTimeout", "clearTimeout"], ["setInterval", "clearInterval"], ["requestAnimationFrame", "cancelAnimationFrame"], ["requestIdleCallback", "cancelIdleCallback"]];
  for (const [set, clear] of timers) {
    const original = { set: window[set], clear: window[clear] };
    window[set] = (run, ...rest) => {
      const from = new Error().stack.split("\\n").slice(2, 6).map((line) => line.trim().replace(/^at /, ""));
      const id = original.set.call(window, (...args) => {
        if (set !== "setInterval") held.timers.delete(set + id);
        run(...args);
      }, ...rest);
      held.timers.set(set + id, [set, ...rest.map((one) => JSON.stringify(one)), "by", from.join(" < ")].join(" "));
      return id;
    };
    window[clear] = (id) => { held.timers.delete(set + id); original.clear.call(window, id); };
  }
  for (const name of ["MutationObserver", "ResizeObserver", "IntersectionObserver", "PerformanceObserver"]) {
    window[name] = class extends window[name] {
      observe(...args) {
        super.observe(...args);
        held.observers.set(this, name);
      }
      unobserve(...args) { super.unobserve(...args); }
      disconnect() { super.disconnect(); held.observers.delete(this); }
    };
  }
  const { fetch } = window;
  window.fetch = async (...args) => {
    const request = { url: String(args[0]?.url ?? args[0]) };
    held.requests.add(request);
    args[1]?.signal?.addEventListener("abort", () => held.requests.delete(request));
    try { return await fetch(...args); } finally { if (!/run\\/stream/.test(request.url)) held.requests.delete(request); }
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...args) {
    const request = { url: "upload" };
    held.requests.add(request);
    addEventListener.call(this, "loadend", () => held.requests.delete(request));
    return send.apply(this, args);
  };
  const named = (target) => target === window ? "window" : target.nodeName ?? target.constructor.name;
  const attributes = (element) => [...element.attributes].map(({ name, value }) => name + "=" + value);
  Object.defineProperty(window, "inventory", { value: () => ({
    listeners: [...held.targets].map((ref) => ref.deref()).filter((target) => target && isKept(target)).flatMap((target) =>
      [...held.listeners.get(target)].flatMap(([id, set]) => [...set].map(() => named(target) + " " + id))).toSorted(),
    observers: [...held.observers.values()].toSorted(),
    timers: [...held.timers.values()].toSorted(),
    requests: [...held.requests].map(({ url }) => new URL(url, location.href).pathname),
    elements: document.querySelectorAll("*").length,
    head: document.head.childElementCount,
    sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
    attributes: [document.documentElement, document.body].flatMap(attributes),
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...document.cookie.split("; ").map((one) => one.split("=")[0])].toSorted(),
    history: [history.length, location.href, history.state],
  }), enumerable: false });
}`;
