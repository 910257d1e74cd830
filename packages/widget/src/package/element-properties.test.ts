import { describe, expect, it } from "vitest";
import type { NitkaElement } from "../element/element-options.ts";
import type { NitkaCallbacks } from "../options.ts";
import { createElementProperties } from "./element-properties.ts";

/** An element that records which properties are set. */
function recordingElement() {
  const set: string[] = [];
  const target = document.createElement("div");
  const element = new Proxy(target, {
    set(_, name, value) {
      set.push(String(name));
      return Reflect.set(target, name, value);
    },
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  // The tests only set its properties.
  return { element: element as HTMLElement as NitkaElement, set, target };
}

describe("the properties of a component's element", () => {
  it("are all given to a new element, and later those that have changed", () => {
    const { element, set } = recordingElement();
    const properties = createElementProperties();
    properties.update({ projectId: "shop", colorScheme: "dark" });
    properties.begin(element);
    expect(set).toEqual(["projectId", "colorScheme", "on"]);
    properties.update({ projectId: "shop", colorScheme: "light" });
    expect(set).toEqual(["projectId", "colorScheme", "on", "colorScheme"]);
    expect(element.colorScheme).toBe("light");
    properties.update({ projectId: "shop" });
    expect(element.colorScheme).toBeUndefined();
  });

  it("do not change with a render's new functions and texts, and call the latest", async () => {
    const { element, set } = recordingElement();
    const properties = createElementProperties();
    const calls: string[] = [];
    const props = (name: string) => ({
      visitorToken: () => `token of ${name}`,
      words: { "composer.send": "Go", "sidebar.removed": (title: string) => `${name}: ${title}` },
      onThreadChange: () => calls.push(name),
    });
    properties.update(props("the first render"));
    properties.begin(element);
    const before = [...set];
    const { words } = element;
    properties.update(props("the second"));
    // The element compares words by their texts, and a function that stays the same has the same text.
    expect(set).toEqual([...before, "words"]);
    expect(element.words).toEqual(words);
    expect(element.words?.["sidebar.removed"]).toBe(words?.["sidebar.removed"]);
    (element.on as NitkaCallbacks).threadchange?.({ threadId: "1" });
    expect(calls).toEqual(["the second"]);
    expect(await (element.visitorToken as () => Promise<string>)()).toBe("token of the second");
    expect(element.words?.["sidebar.removed"]?.("Чат")).toBe("the second: Чат");
  });

  it("include the listener of clicked links until the element's end", () => {
    const { element, target } = recordingElement();
    const properties = createElementProperties();
    const clicked: string[] = [];
    properties.update({ onLinkClick: ({ detail }) => clicked.push(detail.href) });
    properties.begin(element);
    const click = () => target.dispatchEvent(new CustomEvent("nitka-linkclick", { detail: { href: "/a" } }));
    click();
    properties.end();
    click();
    expect(clicked).toEqual(["/a"]);
  });
});
