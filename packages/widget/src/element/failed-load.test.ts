import { linkStylesheets } from "./stylesheets.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInit } from "../init.ts";
import { scriptedApps, scriptedConnectOptions, scriptedLauncher } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];
/** What the page's console shows. */
let reported: string[] = [];
/** How many more times the app cannot be loaded. */
let failures = 0;
/** Moves the pointer near the launcher's button. */
let approachLauncher: () => void = () => undefined;
const showLauncher = scriptedLauncher((approach) => (approachLauncher = approach));
const init = createInit({
  scriptUrl: "https://chat.example/widget/nitka.js",
  style: linkStylesheets("https://chat.example/widget/nitka.js", ""),
  connectOptions: scriptedConnectOptions,
  loadApp: () => {
    failures -= 1;
    if (failures >= 0) return Promise.reject(new Error("The app did not come."));
    return Promise.resolve({ createApp: scriptedApps((app) => apps.push(app)) });
  },
  loadLauncher: () => Promise.resolve({ showLauncher: (place) => showLauncher(place) }),
  loadRefusal: () => Promise.reject(new Error("This browser is new enough.")),
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
// happy-dom loads no stylesheets: without this it fires `error` for each.
const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
settings.handleDisabledFileLoadingAsSuccess = true;

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

describe("an app that cannot be loaded", () => {
  const errors: string[] = [];
  const on = { error: (error: Error) => errors.push(error.message) };
  afterEach(() => errors.splice(0));

  it("is loaded again by the next command, and each failure is reported once", async () => {
    failures = 2;
    const handle = init({ on });
    await expect(handle.ready).rejects.toThrow("The app did not come.");
    const again = handle.ready;
    await expect(handle.open()).rejects.toThrow("The app did not come.");
    await expect(again).rejects.toThrow("The app did not come.");
    const last = handle.ready;
    await handle.open();
    await last;
    const failuresOfBoth = ["The app did not come.", "The app did not come."];
    expect({ errors, reported, called: apps.map(({ called }) => called) }).toEqual({
      errors: failuresOfBoth,
      reported: failuresOfBoth,
      called: [["open"]],
    });
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
