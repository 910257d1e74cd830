import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sidebarShortcut } from "./sidebar-shortcut.ts";

let host: HTMLElement;
let toggled = 0;
let widget = new AbortController();
const stop = () => widget.abort();
const start = (layout: "inline" | "launcher") => {
  widget = new AbortController();
  sidebarShortcut({ host, layout, toggle: () => void (toggled += 1), signal: widget.signal });
};

beforeEach(() => {
  toggled = 0;
  host = document.createElement("div");
  document.body.append(host);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function press(target: Element, init: KeyboardEventInit = { key: "b", code: "KeyB", ctrlKey: true }): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, composed: true, ...init });
  target.dispatchEvent(event);
  return event;
}

describe("Ctrl+B and Cmd+B", () => {
  it("work in the widget in any layout", () => {
    // The element does the same with every key.
    host.addEventListener("keydown", (event) => event.stopPropagation());
    start("launcher");
    expect(press(host).defaultPrevented).toBe(true);
    press(host, { key: "B", code: "KeyB", metaKey: true });
    expect(toggled).toBe(2);
  });

  it("work on a Russian keyboard, and not on a Latin one whose key in that place writes another letter", () => {
    start("launcher");
    press(host, { key: "и", code: "KeyB", ctrlKey: true });
    press(host, { key: "x", code: "KeyB", ctrlKey: true });
    expect(toggled).toBe(1);
  });

  it("work elsewhere on the page if the layout is inline", () => {
    start("inline");
    press(document.body);
    expect(toggled).toBe(1);
  });

  it("are left to the page outside a launcher", () => {
    start("launcher");
    press(document.body);
    expect(toggled).toBe(0);
  });

  it("are left to the page where it handles them, and in text fields", () => {
    start("inline");
    const claim = (event: Event) => event.preventDefault();
    document.addEventListener("keydown", claim);
    press(document.body);
    document.removeEventListener("keydown", claim);
    for (const name of ["input", "textarea", "select"]) {
      const field = document.createElement(name);
      document.body.append(field);
      expect(press(field).defaultPrevented).toBe(false);
    }
    expect(toggled).toBe(0);
  });

  it.each<[string, KeyboardEventInit]>([
    ["without Ctrl or Cmd", { key: "b" }],
    ["with Shift", { key: "B", ctrlKey: true, shiftKey: true }],
    ["with Alt", { key: "b", ctrlKey: true, altKey: true }],
    ["held down", { key: "b", ctrlKey: true, repeat: true }],
  ])("are not: %s", (_, init) => {
    start("inline");
    press(host, init);
    expect(toggled).toBe(0);
  });

  it("do nothing after the shortcut is stopped", () => {
    start("inline");
    stop();
    press(host);
    press(document.body);
    expect(toggled).toBe(0);
  });
});
