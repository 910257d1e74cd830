import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scriptedApps, scriptedInit, scriptedLauncher } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];
/** The errors that the page's console shows. */
let reported: string[] = [];
/** The number of times that loading the app will still fail. */
let failures = 0;
/** The number of times that loading the launcher's button will still fail. */
let launcherFailures = 0;
/** Moves the pointer near the launcher's button. */
let approachLauncher: () => void = () => undefined;
const showLauncher = scriptedLauncher((approach) => (approachLauncher = approach));
const init = scriptedInit(() => undefined, {
  loadApp: () => {
    failures -= 1;
    if (failures >= 0) return Promise.reject(new Error("The app did not come."));
    return Promise.resolve({ createApp: scriptedApps((app) => apps.push(app)) });
  },
  loadLauncher: () => {
    launcherFailures -= 1;
    if (launcherFailures >= 0) return Promise.reject(new Error("The button did not come."));
    return Promise.resolve({ showLauncher: (place) => showLauncher(place) });
  },
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

beforeEach(() => {
  apps = [];
  reported = [];
  vi.stubGlobal("reportError", ({ message }: Error) => void reported.push(message));
});
afterEach(async () => {
  vi.useRealTimers();
  document.body.replaceChildren();
  await settle();
  vi.unstubAllGlobals();
});

describe("an app that cannot be loaded", () => {
  const errors: string[] = [];
  const on = { error: (error: Error) => errors.push(error.message) };
  afterEach(() => errors.splice(0));

  it("is loaded again by the next command, and each failure is reported once", async () => {
    failures = 2;
    const handle = init({ on });
    await expect(handle.ready).rejects.toThrow("The app did not come.");
    await expect(handle.open()).rejects.toThrow("The app did not come.");
    await handle.open();
    const failuresOfBoth = ["The app did not come.", "The app did not come."];
    expect({ errors, reported, called: apps.map(({ called }) => called) }).toEqual({
      errors: failuresOfBoth,
      reported: failuresOfBoth,
      called: [["open"]],
    });
  });

  it("is loaded again automatically, after seconds, then every half minute, and reports only the first failure", async () => {
    vi.useFakeTimers();
    failures = 5;
    const ready = vi.fn<() => void>();
    const handle = init({ on: { ...on, ready } });
    const first = handle.ready;
    await expect(first).rejects.toThrow("The app did not come.");
    const second = handle.ready;
    expect(second).not.toBe(first);
    const left = [];
    for (const ms of [1999, 1, 7999, 1, 29_999, 1, 29_999, 1, 30_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      left.push(failures);
    }
    expect(left).toEqual([4, 3, 3, 2, 2, 1, 1, 0, -1]);
    await second;
    expect(handle.ready).toBe(second);
    expect({ errors, reported, ready: ready.mock.calls.length, apps: apps.length }).toEqual({
      errors: ["The app did not come."],
      reported: ["The app did not come."],
      ready: 1,
      apps: 1,
    });
    await vi.advanceTimersByTimeAsync(120_000);
    expect({ failures, apps: apps.length }).toEqual({ failures: -1, apps: 1 });
  });

  it("is loaded again when the network is back", async () => {
    vi.useFakeTimers();
    failures = 1;
    const handle = init({ on });
    await expect(handle.ready).rejects.toThrow("The app did not come.");
    window.dispatchEvent(new Event("online"));
    await handle.ready;
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(apps).toHaveLength(1);
  });

  it("is not loaded again once the widget is destroyed or its element removed", async () => {
    vi.useFakeTimers();
    failures = 2;
    const destroyed = init({ on });
    const removed = init({ on });
    await Promise.allSettled([destroyed.ready, removed.ready]);
    destroyed.destroy();
    removed.element.remove();
    await expect(destroyed.ready).rejects.toThrow("destroyed");
    await vi.advanceTimersByTimeAsync(60_000);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(1);
    expect({ failures, timers: vi.getTimerCount(), apps }).toEqual({ failures: 0, timers: 0, apps: [] });
  });

  it("where it is the launcher's button, comes by itself", async () => {
    vi.useFakeTimers();
    launcherFailures = 1;
    const handle = init({ on, layout: "launcher" });
    await expect(handle.ready).rejects.toThrow("The button did not come.");
    await vi.advanceTimersByTimeAsync(2000);
    await handle.ready;
    expect(handle.element.shadowRoot?.querySelectorAll("button")).toHaveLength(1);
  });

  it("leaves the launcher's button in place, which can be pressed again", async () => {
    failures = 1;
    const handle = init({ on, layout: "launcher" });
    await handle.ready;
    approachLauncher();
    await settle();
    expect({ errors, apps, buttons: handle.element.shadowRoot?.querySelectorAll("button").length }).toEqual({
      errors: ["The app did not come."],
      apps: [],
      buttons: 1,
    });
    approachLauncher();
    await settle();
    expect({ errors, reported, apps: apps.length }).toEqual({
      errors: ["The app did not come."],
      reported: ["The app did not come."],
      apps: 1,
    });
  });
});
