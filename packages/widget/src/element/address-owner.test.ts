import { linkStylesheets } from "./stylesheets.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInit } from "../init.ts";
import { scriptedApps, scriptedConnectOptions } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];

const init = createInit({
  scriptUrl: "https://chat.example/widget/nitka.js",
  style: linkStylesheets("https://chat.example/widget/nitka.js", ""),
  connectOptions: scriptedConnectOptions,
  loadApp: () => Promise.resolve({ createApp: scriptedApps((app) => apps.push(app)) }),
  loadRefusal: () => Promise.reject(new Error("No browser is too old here.")),
  loadLauncher: () =>
    Promise.resolve({
      showLauncher: () =>
        Promise.resolve({
          wanted: new Promise<void>(() => undefined),
          remove: () => ({ isPressed: false, hasFocus: false }),
        }),
    }),
});
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
// happy-dom loads no stylesheets. Without this setting it fires `error` for each.
const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
settings.handleDisabledFileLoadingAsSuccess = true;

beforeEach(() => {
  apps = [];
});
afterEach(async () => {
  document.body.replaceChildren();
  await settle();
});

describe("the address", () => {
  const owners = () => apps.map(({ options: { projectId }, ownsAddress }) => `${projectId}: ${ownsAddress}`);

  it("belongs to the first widget in the page while it lives, although another one is ready before it", async () => {
    const first = init({ projectId: "first", layout: "launcher", routing: "path" });
    await init({ projectId: "second" }).ready;
    await init({ projectId: "elsewhere", basePath: "/help" }).ready;
    await first.open();
    expect(owners()).toEqual(["second: false", "elsewhere: true", "first: true"]);
    first.destroy();
    await init({ projectId: "third" }).ready;
    expect(owners().at(-1)).toBe("third: true");
  });

  it("still belongs to a widget that restarts", async () => {
    const { element, ready } = init({ projectId: "a" });
    await ready;
    await init({ projectId: "b" }).ready;
    element.setAttribute("base-path", "");
    element.setAttribute("locale", "en");
    await settle();
    expect(owners()).toEqual(["a: true", "b: false", "a: true"]);
  });
});
