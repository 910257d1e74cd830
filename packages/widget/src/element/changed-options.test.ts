import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NitkaElement } from "./element-options.ts";
import { scriptedInit } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];
let reported: string[] = [];
const init = scriptedInit((app) => apps.push(app));
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  apps = [];
  reported = [];
  vi.stubGlobal("reportError", ({ message }: Error) => void reported.push(message));
});
afterEach(async () => {
  document.body.replaceChildren();
  await settle();
  vi.unstubAllGlobals();
});

/** A new value of each option. */
const values: Readonly<Record<string, unknown>> = {
  projectId: "shop",
  proxyUrl: "https://proxy.example/",
  apiBase: "https://api.example/",
  routing: "hash",
  basePath: "/help",
  layout: "inline",
  locale: "en",
  colorScheme: "dark",
  visitorToken: "signed",
  visitorId: "7",
  on: { message: () => undefined },
  words: { "composer.send": "Ask" },
  tools: { size: { description: "a", parameters: {}, execute: () => undefined } },
  pageContext: { page: 1 },
  renderers: {},
};
const names = Object.keys(values);
const pairs = names.flatMap((first) =>
  names.filter((name) => name !== first).map((second) => [first, second] as const),
);

/**
 * The options that the running app started with, and the changes reported to any app since, after these tasks of assignments.
 */
async function outcome(given: object, tasks: readonly (readonly string[])[]) {
  apps = [];
  const handle = init(given);
  await handle.ready;
  for (const task of tasks) {
    for (const name of task) Reflect.set(handle.element, name, values[name]);
    await settle();
  }
  const running = apps.filter(({ signal }) => !signal.aborted);
  // The app accepts these while it runs.
  const live = new Set(["on", "colorScheme", "tools", "renderers"]);
  const options = running.map((app) => Object.entries(app.options).filter(([name]) => !live.has(name)));
  const offers = running.map((app) => ({ ...app.pageOffer() }));
  const credential = running.map(({ visitorToken, options: { visitorToken: begun } }) => [visitorToken(), begun]);
  handle.destroy();
  return { options, offers, credential, scheme: handle.element.getAttribute("color-scheme") };
}

describe("options that change in one task", () => {
  it.each(pairs)("%s and %s have the same result in one task as in two", async (first, second) => {
    const together = await outcome({}, [[first, second]]);
    expect(together).toEqual(await outcome({}, [[first], [second]]));
  });

  it.each(names.filter((name) => name !== "visitorToken"))(
    "%s and a first visitor token restart the app, which connects with the token",
    async (name) => {
      for (const task of [
        [name, "visitorToken"],
        ["visitorToken", name],
      ]) {
        const { credential } = await outcome({}, [task]);
        expect(credential).toEqual([["signed", "signed"]]);
      }
    },
  );

  it("restart nothing, and are passed to the app if it accepts them", async () => {
    const handle = init({ visitorToken: "one" });
    await handle.ready;
    for (const name of ["colorScheme", "visitorToken", "tools"]) Reflect.set(handle.element, name, values[name]);
    await settle();
    expect(apps.map(({ called }) => called)).toEqual([
      ["changed colorScheme", "changed visitorToken", "changed tools"],
    ]);
    expect(apps[0]?.visitorToken()).toBe("signed");
  });

  it("are not lost while the element is moved", async () => {
    const handle = init();
    await handle.ready;
    const { element } = handle;
    element.remove();
    Reflect.set(element, "visitorToken", "signed");
    document.body.append(element);
    await settle();
    expect(apps.map(({ options, signal }) => [options.visitorToken, signal.aborted])).toEqual([
      [undefined, true],
      ["signed", false],
    ]);
  });
});

describe("an option that is wrong", () => {
  const bad = 'Nitka: layout must be "inline" or "launcher", not "bogus".';

  it.each([
    ["a property", (element: NitkaElement) => Reflect.set(element, "layout", "bogus")],
    ["an attribute", (element: NitkaElement) => element.setAttribute("layout", "bogus")],
  ])("as %s is reported once, and the chat goes on with the option that it had", async (_, set) => {
    const handle = init();
    await handle.ready;
    set(handle.element as NitkaElement);
    await settle();
    expect({ reported, aborted: apps.map(({ signal }) => signal.aborted) }).toEqual({
      reported: [bad],
      aborted: [false],
    });
    expect(handle.element.getAttribute("layout")).toBe("inline");
    await expect(handle.open()).resolves.toBeUndefined();
  });

  it("does not end a widget that is still loading", async () => {
    const handle = init();
    Reflect.set(handle.element, "layout", "bogus");
    await Promise.resolve();
    await handle.ready;
    expect(reported).toEqual([bad]);
    await expect(handle.open()).resolves.toBeUndefined();
  });

  it("does not keep others from being taken, in the same task and later", async () => {
    const handle = init();
    await handle.ready;
    Reflect.set(handle.element, "layout", "bogus");
    Reflect.set(handle.element, "projectId", "shop");
    await settle();
    Reflect.set(handle.element, "locale", "en");
    await settle();
    expect(reported).toEqual([bad]);
    expect(apps.map(({ options: { projectId, locale, layout } }) => [projectId, locale, layout])).toEqual([
      ["default", "ru", "inline"],
      ["shop", "ru", "inline"],
      ["shop", "en", "inline"],
    ]);
  });
});

describe("words", () => {
  it("of the same content restart nothing, as a template makes them at each render", async () => {
    const plural = (count: number) => `${count}`;
    const handle = init({ words: { "composer.send": "Ask", "parts.sources": plural } });
    await handle.ready;
    Reflect.set(handle.element, "words", { "composer.send": "Ask", "parts.sources": plural });
    await settle();
    expect(apps).toHaveLength(1);
    Reflect.set(handle.element, "words", { "composer.send": "Tell", "parts.sources": plural });
    await settle();
    Reflect.set(handle.element, "words", undefined);
    await settle();
    expect(apps).toHaveLength(3);
  });
});
