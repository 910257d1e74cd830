import { linkStylesheets } from "./stylesheets.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NitkaHandle } from "../options.ts";
import type { NitkaElement } from "./element-options.ts";
import { TAG } from "./define-element.ts";
import { SCRIPT_URL, scriptedInit, scriptedLauncher } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

/** The apps that elements have created, in the order of their creation. */
let apps: ScriptedApp[] = [];
const appsAre = () => apps.map(({ options: { projectId }, signal }) => `${projectId}${signal.aborted ? ", gone" : ""}`);

/** Moves the pointer near the launcher's button. */
let approachLauncher: () => void = () => undefined;
const refuseBrowser = () => {
  throw new Error("This browser is too old.");
};
const init = scriptedInit((app) => apps.push(app), {
  loadRefusal: () => Promise.resolve({ refuseBrowser }),
  style: linkStylesheets(SCRIPT_URL, "n0nce"),
  loadLauncher: () => Promise.resolve({ showLauncher: (place) => showLauncher(place) }),
});
const showLauncher = scriptedLauncher((approach) => (approachLauncher = approach));
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** The errors that were passed to the page's `reportError`. */
let reported: unknown[] = [];

beforeEach(() => {
  apps = [];
  reported = [];
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
});
afterEach(async () => {
  document.body.replaceChildren();
  await settle();
  vi.unstubAllGlobals();
});

describe("init", () => {
  it("adds a div at the end of the body if it is given no target", async () => {
    const { element, ready } = init();
    await ready;
    expect(document.body.lastElementChild?.tagName).toBe("DIV");
    expect(document.body.lastElementChild?.firstElementChild).toBe(element);
    expect(appsAre()).toEqual(["default"]);
  });

  it("takes a selector or an element", () => {
    document.body.innerHTML = '<div id="chat"></div><main></main>';
    const main = document.querySelector("main") as Element;
    expect(init({ target: "#chat" }).element.parentElement?.id).toBe("chat");
    expect(init({ target: main }).element.parentElement).toBe(main);
  });

  it.each([
    [{ target: "#nowhere" }, "Target not found: #nowhere"],
    [{ target: "##" }, "Target not found: ##"],
    [{ target: 42 }, "Nitka: target must be a selector, an element or nothing, not 42."],
    [{ layout: "popup" }, 'Nitka: layout must be "inline" or "launcher", not "popup".'],
    [{ renderers: { "tool:buy": "<b>" } }, 'Nitka: renderers.tool:buy must be a function, not "<b>".'],
  ])("throws an error that says what is wrong with %o, and adds nothing to the page", (options, text) => {
    expect(() => init(options as never)).toThrow(text);
    expect(document.querySelector(TAG)).toBeNull();
  });

  it("makes another widget with each call", async () => {
    await Promise.all([init({ projectId: "a" }).ready, init({ projectId: "b" }).ready]);
    expect(appsAre()).toEqual(["a", "b"]);
  });
});

describe("the element in the page's markup", () => {
  it("reads its attributes", async () => {
    document.body.innerHTML = `<${TAG} project-id="shop" proxy-url="/chat" color-scheme="dark" routing="hash"></${TAG}>`;
    await settle();
    expect(apps[0]?.options).toMatchObject({
      projectId: "shop",
      colorScheme: "dark",
      routing: "hash",
      layout: "inline",
    });
    expect(apps[0]?.options.proxyUrl).toBe(new URL("/chat", location.href).href);
  });

  it("takes over properties that were set before it was defined", async () => {
    const element = document.createElement(TAG);
    // Like a page's own code that runs before the script has loaded: it creates a plain property, which hides the accessor.
    Object.defineProperty(element, "projectId", {
      value: "early",
      configurable: true,
      writable: true,
      enumerable: true,
    });
    document.body.append(element);
    await settle();
    expect(appsAre()).toEqual(["early"]);
    element.projectId = "late";
    await settle();
    expect(appsAre()).toEqual(["early, gone", "late"]);
  });

  it("restarts once when several options change together", async () => {
    document.body.innerHTML = `<${TAG} project-id="a"></${TAG}>`;
    await settle();
    const element = document.querySelector(TAG);
    element?.setAttribute("project-id", "b");
    element?.setAttribute("proxy-url", "/other");
    await settle();
    expect(appsAre()).toEqual(["a, gone", "b"]);
  });

  it("reports what is wrong with a bad attribute, and starts when it is corrected", async () => {
    const heard: unknown[] = [];
    document.addEventListener("nitka-error", (event) => heard.push((event as CustomEvent).detail), { once: true });
    document.body.innerHTML = `<${TAG} layout="popup"></${TAG}>`;
    await settle();
    const error = new TypeError('Nitka: layout must be "inline" or "launcher", not "popup".');
    expect(heard).toEqual([error]);
    expect(reported).toEqual([error]);
    document.querySelector(TAG)?.setAttribute("layout", "inline");
    await settle();
    expect(apps.map(({ options }) => options.layout)).toEqual(["inline"]);
  });

  it("links the four stylesheets beside the script, with its nonce, those of answers when they are asked for", async () => {
    const { element, ready } = init();
    await ready;
    const links = () => [...(element.shadowRoot?.querySelectorAll("link") ?? [])];
    const linked = () => links().map(({ nonce, rel, href }) => `${nonce} ${rel} ${href.replace(".css", "")}`);
    const sheet = "n0nce stylesheet https://chat.example/widget";
    expect(linked()).toEqual([`${sheet}/base`, `${sheet}/main`]);
    for (const { stylesheets } of [...apps, ...apps]) void stylesheets.answers();
    expect(linked().slice(2)).toEqual([`${sheet}/markdown`, `${sheet}/markdown-dot`]);
  });

  it("stops the key events inside it before they reach the page, but not those in a view of the page's own", async () => {
    const heard: string[] = [];
    const listen = ({ type, target }: Event) => heard.push(`${type} in ${target === element ? "it" : "a view"}`);
    const { element, ready } = init();
    await ready;
    const view = document.createElement("input");
    element.append(view);
    const types = ["keydown", "keypress", "keyup", "click"];
    for (const type of types) document.addEventListener(type, listen);
    // In a browser the element is the target of events in its shadow root. happy-dom names the inner element.
    for (const target of [element, view])
      for (const type of types) target.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    for (const type of types) document.removeEventListener(type, listen);
    expect(heard).toEqual(["click in it", ...types.map((type) => `${type} in a view`)]);
  });

  it("keeps its widget when it is moved, loses it when it is removed, and starts another when it is inserted again", async () => {
    document.body.innerHTML = "<main></main>";
    const { element, ready } = init({ projectId: "a" });
    await ready;
    document.querySelector("main")?.append(element);
    await settle();
    expect(appsAre()).toEqual(["a"]);
    element.remove();
    await settle();
    expect(appsAre()).toEqual(["a, gone"]);
    document.body.append(element);
    await settle();
    expect(appsAre()).toEqual(["a, gone", "a"]);
    expect(element.shadowRoot?.querySelectorAll("link")).toHaveLength(2);
  });
});

describe("the handle", () => {
  it("may be used before the widget is ready", async () => {
    const handle = init();
    void handle.send("Привет");
    void handle.selectThread("t1");
    void handle.open();
    await handle.ready;
    void handle.newThread();
    await handle.close();
    expect(apps[0]?.called).toEqual(["send Привет", "selectThread t1", "open", "newThread", "close"]);
  });

  it("resolves the promise of each command, and rejects unfinished and later ones once the widget is destroyed", async () => {
    const handle = init();
    const early = handle.send("Привет");
    await handle.ready;
    expect(await early).toEqual({ threadId: "t1", messageId: "m1" });
    const pending = handle.stop();
    handle.destroy();
    const outcomes = await Promise.allSettled([pending, handle.send("Ещё"), handle.newThread(), handle.open()]);
    expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual(
      outcomes.map(() => "Error: Nitka: the widget is destroyed."),
    );
  });

  it("runs in the restarted widget the commands that had not begun, and rejects those that had", async () => {
    const handle = init({ projectId: "a" });
    await handle.ready;
    const begun = handle.stop();
    (handle.element as NitkaElement).projectId = "b";
    await expect(begun).rejects.toThrow("restarted");
    await handle.open();
    expect(apps.map(({ called }) => called)).toEqual([["stop"], ["open"]]);
  });

  it("takes another visitor token without a restart, and a first one with a restart", async () => {
    const handle = init({ visitorToken: "one" });
    await handle.ready;
    const element = handle.element as NitkaElement;
    element.visitorToken = () => "two";
    await settle();
    expect(apps).toHaveLength(1);
    expect(apps[0]?.visitorToken()).toBe(element.visitorToken);
    expect(apps[0]?.called).toEqual(["changed visitorToken"]);
    Reflect.set(element, "visitorToken", undefined);
    await settle();
    expect(apps).toHaveLength(2);
  });

  it("takes the host's own words, and restarts when they change", async () => {
    const handle = init({ words: { "composer.send": "Ask" } });
    await handle.ready;
    const words = { "composer.send": "Tell" };
    Reflect.set(handle.element, "words", words);
    await settle();
    expect(apps.map(({ options }) => options.words)).toEqual([{ "composer.send": "Ask" }, words]);
    expect(apps.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it("is given to on.ready once, and to an event on the element", async () => {
    const heard: unknown[] = [];
    const onReady = vi.fn<(handle: NitkaHandle) => void>();
    document.addEventListener("nitka-ready", (event) => heard.push((event as CustomEvent).detail), { once: true });
    const handle = init({ on: { ready: onReady } });
    await handle.ready;
    (handle.element as NitkaElement).projectId = "other";
    await settle();
    expect(onReady.mock.calls).toEqual([[handle]]);
    expect(heard).toEqual([handle]);
    expect(apps).toHaveLength(2);
  });

  it("goes on when a callback of the host throws, and reports the error", async () => {
    const mistake = new Error("of the page");
    const handle = init({
      on: {
        ready: () => {
          throw mistake;
        },
      },
    });
    await handle.ready;
    expect(reported).toEqual([mistake]);
  });

  it("sets the colour scheme on the element without a restart", async () => {
    const handle = init();
    await handle.ready;
    expect(handle.element.getAttribute("color-scheme")).toBe("auto");
    handle.setColorScheme("dark");
    await settle();
    expect(handle.element.getAttribute("color-scheme")).toBe("dark");
    expect(apps).toHaveLength(1);
  });

  it("destroys the widget, and removes the element and the div that was made for it", async () => {
    const handle = init();
    await handle.ready;
    handle.destroy();
    void handle.send("Привет");
    expect(appsAre()).toEqual(["default, gone"]);
    expect(apps[0]?.called).toEqual([]);
    expect(document.body.children).toHaveLength(0);
    handle.destroy();
    document.body.append(handle.element);
    await settle();
    expect(apps).toHaveLength(1);
  });

  it("rejects ready when the widget cannot start or is destroyed before", async () => {
    const failing = init({ projectId: "broken" });
    await expect(failing.ready).rejects.toThrow("broken");
    const destroyed = init();
    destroyed.destroy();
    await expect(destroyed.ready).rejects.toThrow("destroyed");
  });

  it("calls no callback after the widget is destroyed", async () => {
    const heard: unknown[] = [];
    const handle = init({ on: { error: (error) => heard.push(error) } });
    await handle.ready;
    handle.destroy();
    apps[0]?.emit("error", new Error("late"));
    expect(heard).toEqual([]);
  });

  it("destroys a widget that has not loaded", async () => {
    const onReady = vi.fn<(handle: NitkaHandle) => void>();
    document.body.innerHTML = '<div id="chat"><p>Своё</p></div>';
    init({ target: "#chat", on: { ready: onReady } }).destroy();
    await settle();
    expect(onReady).not.toHaveBeenCalled();
    expect(document.querySelector("#chat")?.innerHTML).toBe("<p>Своё</p>");
  });
});

describe("a launcher", () => {
  const launcher = { layout: "launcher" } as const;

  it("is a button without app and stylesheets, and ready, until the pointer comes near", async () => {
    const { element, ready } = init(launcher);
    await ready;
    await settle();
    const parts = () => [...(element.shadowRoot?.children ?? [])].map(({ localName }) => localName);
    expect({ apps, parts: parts() }).toEqual({ apps: [], parts: ["button"] });
    approachLauncher();
    await settle();
    expect({ apps: appsAre(), parts: parts() }).toEqual({ apps: ["default"], parts: ["link", "link"] });
  });

  it("loads the app for a command, but not for close and stop", async () => {
    const handle = init(launcher);
    await handle.ready;
    await handle.close();
    await handle.stop();
    expect(apps).toEqual([]);
    await handle.open();
    expect(apps[0]?.called).toEqual(["open"]);
  });
});

describe("an event of the widget", () => {
  it("calls the host's callback and is dispatched on the element", async () => {
    const heard: unknown[] = [];
    const { element, ready } = init({ on: { threadchange: (detail) => heard.push(["on", detail]) } });
    await ready;
    element.addEventListener("nitka-threadchange", (event) => heard.push(["event", (event as CustomEvent).detail]));
    apps[0]?.emit("threadchange", { threadId: "t1" });
    expect(heard).toEqual([
      ["on", { threadId: "t1" }],
      ["event", { threadId: "t1" }],
    ]);
  });
});
