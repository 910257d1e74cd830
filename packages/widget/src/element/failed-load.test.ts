import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInit } from "../init.ts";
import { scriptedApps, scriptedLauncher } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];
/** How many more times the app cannot be loaded. */
let failures = 0;
/** Somebody comes near the launcher's button. */
let comeNear: () => void = () => undefined;
const showLauncher = scriptedLauncher((interest) => (comeNear = interest));
const init = createInit({
  scriptUrl: "https://chat.example/widget/nitka.js",
  nonce: "",
  loadApp: () => {
    failures -= 1;
    if (failures >= 0) return Promise.reject(new Error("The app did not come."));
    return Promise.resolve({ createApp: scriptedApps((app) => apps.push(app)) });
  },
  loadLauncher: () => Promise.resolve({ showLauncher: (place) => showLauncher(place) }),
  loadRefusal: () => Promise.reject(new Error("This browser is new enough.")),
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
// This page loads no stylesheets, and need not say so each time.
const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
settings.handleDisabledFileLoadingAsSuccess = true;

beforeEach(() => {
  apps = [];
  vi.stubGlobal("reportError", () => undefined);
});
afterEach(async () => {
  document.body.replaceChildren();
  await settle();
  vi.unstubAllGlobals();
});

describe("code that does not come", () => {
  const told: string[] = [];
  const on = { error: (error: Error) => told.push(error.message) };
  afterEach(() => told.splice(0));

  it("is asked for again by the next command, and told of once for each time", async () => {
    failures = 2;
    const handle = init({ on });
    await expect(handle.ready).rejects.toThrow("The app did not come.");
    await expect(handle.open()).rejects.toThrow("The app did not come.");
    await handle.open();
    expect({ told, done: apps[0]?.told }).toEqual({
      told: ["The app did not come.", "The app did not come."],
      done: ["open"],
    });
  });

  it("leaves the launcher's button to be pressed again", async () => {
    failures = 1;
    const handle = init({ on, layout: "launcher" });
    await handle.ready;
    comeNear();
    await settle();
    expect({ told, apps, buttons: handle.element.shadowRoot?.querySelectorAll("button").length }).toEqual({
      told: ["The app did not come."],
      apps: [],
      buttons: 1,
    });
    comeNear();
    await settle();
    expect({ told: told.length, apps: apps.length }).toEqual({ told: 1, apps: 1 });
  });
});
