import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scriptedInit } from "./scripted-apps.ts";
import type { ScriptedApp } from "./scripted-apps.ts";

let apps: ScriptedApp[] = [];

const init = scriptedInit((app) => apps.push(app));
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

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
