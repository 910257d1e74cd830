import { afterEach, expect, it, vi } from "vitest";
import { showLauncher } from "../launcher.ts";
import type { ElementEnvironment } from "./app.ts";
import { scriptedInit } from "./scripted-apps.ts";

/** Resolves the loading of the launcher's code, for all elements that wait for it. */
let launcherLoaded = Promise.withResolvers<void>();
const loadLauncher = vi.fn<ElementEnvironment["loadLauncher"]>(() =>
  launcherLoaded.promise.then(() => ({ showLauncher })),
);
const init = scriptedInit(() => undefined, { loadLauncher });
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

afterEach(async () => {
  document.body.replaceChildren();
  await settle();
  launcherLoaded = Promise.withResolvers();
  loadLauncher.mockClear();
});

/** A launcher whose element was removed while its code loads, and the number of buttons that it shows. */
async function removedLauncher() {
  const { element } = init({ layout: "launcher" });
  element.remove();
  await settle();
  return { element, buttons: () => element.shadowRoot?.querySelectorAll("button").length };
}

it.each([1, 2, 3])(
  "a launcher that is inserted again (%i times) while its code loads shows one button",
  async (times) => {
    const { element, buttons } = await removedLauncher();
    for (let time = 1; time <= times; time += 1) {
      element.remove();
      await settle();
      document.body.append(element);
      await settle();
    }
    launcherLoaded.resolve();
    await settle();
    expect({ asked: loadLauncher.mock.calls.length, buttons: buttons() }).toEqual({ asked: times + 1, buttons: 1 });
  },
);

it("a launcher that is removed for good while its code loads shows no button", async () => {
  const { buttons } = await removedLauncher();
  launcherLoaded.resolve();
  await settle();
  expect(buttons()).toBe(0);
});

it("a launcher that is inserted again after its code has come shows one button", async () => {
  const { element, buttons } = await removedLauncher();
  launcherLoaded.resolve();
  await settle();
  document.body.append(element);
  await settle();
  expect(buttons()).toBe(1);
});
