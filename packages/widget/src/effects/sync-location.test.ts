// @vitest-environment node
import type { Thread } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import { activateThread, removeThread, setThreads } from "../store/threads.ts";
import type { ChatState } from "../store/state.ts";
import type { Routing } from "./thread-address.ts";
import { syncLocation } from "./sync-location.ts";

const threads: readonly Thread[] = ["a", "b"].map((threadId) => ({ threadId, updatedAt: "2026-11-21T12:00:00.000Z" }));

/** A page at this address with a widget of two threads, and the changes that it made to the history. */
function open(address: string, routing: Routing = "path", refuse: () => void = () => undefined) {
  const steps: string[] = [];
  const listeners = new Map<string, () => void>();
  const page = {
    location: new URL(address, "https://shop.example") as unknown as Location,
    history: {
      state: { kept: true },
      pushState: (state: unknown, _: string, url: string) => go("push", url, state),
      replaceState: (state: unknown, _: string, url: string) => go("replace", url, state),
    } as unknown as History,
    addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener),
    removeEventListener: (type: string) => void listeners.delete(type),
  };
  const go = (how: string, url: string, state: unknown) => {
    refuse();
    steps.push(`${how} ${url} ${JSON.stringify(state)}`);
    page.location = new URL(url, "https://shop.example") as unknown as Location;
  };
  const state = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  const store = createStore<ChatState>(setThreads(state, threads), (callback) => callback(0));
  const select = (threadId: string) => store.set((before) => activateThread(before, threadId));
  const stop = syncLocation({
    store,
    actions: { selectThread: (threadId) => Promise.resolve(select(threadId)) },
    rules: { routing, basePath: "" },
    window: page as unknown as Window,
  });
  /** The visitor goes back or forward. */
  const travel = (url: string) => {
    page.location = new URL(url, "https://shop.example") as unknown as Location;
    listeners.get("popstate")?.();
  };
  return { steps, store, select, stop, travel, listeners, active: () => store.get().threads.activeId };
}

describe("the address and the active thread", () => {
  it("an address without a thread is replaced, and the page's query and state are kept", () => {
    const { steps, select } = open("/?lang=ru");
    select("a");
    expect(steps).toEqual(['replace /c/a?lang=ru {"kept":true}']);
  });

  it("an address with an unknown thread is replaced", () => {
    const { steps, select } = open("/c/gone");
    select("a");
    expect(steps).toEqual(['replace /c/a {"kept":true}']);
  });

  it("a step from thread to thread adds an entry to the history", () => {
    const { steps, select } = open("/c/a");
    select("a");
    select("b");
    expect(steps).toEqual(['push /c/b {"kept":true}']);
  });

  it("going back opens the thread of that address and writes no address", () => {
    const { steps, select, travel, active } = open("/c/a");
    select("a");
    select("b");
    travel("/c/a");
    expect(active()).toBe("a");
    expect(steps).toHaveLength(1);
  });

  it("going back to a thread that has been archived shows the active thread's address", () => {
    const { steps, select, travel, store } = open("/c/a");
    select("a");
    store.set((state) => removeThread(state, "a"));
    travel("/c/a");
    expect(steps).toEqual(['replace /c/b {"kept":true}', 'replace /c/b {"kept":true}']);
  });

  it("the page's own routes are not changed", () => {
    const { steps, select, travel } = open("/c/a");
    select("a");
    travel("/about");
    select("b");
    expect(steps).toEqual([]);
  });

  it("the address may be the hash, or not be used", () => {
    const hash = open("/page?x=1", "hash");
    hash.select("a");
    expect(hash.steps).toEqual(['replace /page?x=1#/c/a {"kept":true}']);
    const none = open("/page", "none");
    none.select("a");
    expect(none.steps).toEqual([]);
  });

  it("neither follows the other after the stop", () => {
    const { steps, select, stop, listeners } = open("/c/a");
    stop();
    select("b");
    expect(steps).toEqual([]);
    expect(listeners.size).toBe(0);
  });

  it("leaves an address alone that the browser does not let it write, as in a frame of srcdoc", () => {
    const { select, steps } = open("/", "path", () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    });
    expect(() => select("b")).not.toThrow();
    expect(steps).toEqual([]);
  });
});
