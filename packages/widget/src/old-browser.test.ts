import { linkStylesheets } from "./element/stylesheets.ts";
import { afterEach, expect, it, vi } from "vitest";
import { createInit } from "./init.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it("an unsupported browser shows one sentence, and every command rejects", async () => {
  vi.stubGlobal("CSS", { supports: () => false });
  vi.stubGlobal("reportError", undefined);
  const never = () => Promise.reject(new Error("An old browser loads neither the app nor the launcher."));
  const init = createInit({
    scriptUrl: "https://chat.example/widget/nitka.js",
    style: linkStylesheets("https://chat.example/widget/nitka.js", ""),
    connectOptions: () => {
      throw new Error("An old browser requests no config.");
    },
    loadApp: never,
    loadLauncher: never,
    loadRefusal: () => import("./old-browser.ts"),
  });
  const heard: string[] = [];
  const handle = init({ layout: "launcher", locale: "en", on: { error: ({ message }) => heard.push(message) } });
  const early = handle.send("early");
  const told = "The chat needs a newer browser: Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
  await expect(handle.ready).rejects.toThrow(told);
  await expect(early).rejects.toThrow(told);
  await expect(handle.open()).rejects.toThrow(told);
  expect([heard, handle.element.shadowRoot?.textContent]).toEqual([[told], told]);
});
