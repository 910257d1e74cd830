/** Host pages with renderers that log what they get, and the tool call that these tests show. */
import type { Page } from "@playwright/test";
import type { WireEvent } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";

/** Renderers that log their arguments into `log` and show them. */
export const LOGGING = `
  window.log = [];
  window.failures = [];
  const show = (part) => JSON.stringify(part.data ?? part.text ?? [part.state, part.args ?? null, part.result ?? null]);
  window.calledAnew = (container, part) => {
    log.push("call " + show(part));
    container.className = "own";
    container.textContent = show(part);
    return () => log.push("end " + container.textContent);
  };
  window.updated = (container, part, api) => {
    window.api = api;
    log.push("call " + show(part));
    container.className = "own";
    container.textContent = show(part);
    return {
      update(next) { log.push("update " + show(next)); container.textContent = show(next); },
      destroy() { log.push("end " + container.textContent); },
    };
  };
  const on = { error: (error) => failures.push(error.message) };
`;

export async function openWith(chat: ChatPage, renderers: string, more = ""): Promise<void> {
  await chat.open("/", {
    head: `<style>.own { color: rgb(1, 2, 3) }</style><script>${LOGGING}</script>`,
    options: `{ target: "#chat", on, renderers: ${renderers}, ${more} }`,
  });
}

export function log(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => Reflect.get(window, "log") as string[]);
}

export function failures(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => Reflect.get(window, "failures") as string[]);
}

/** The number of the element's children that are in the page. */
export function containers(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("nitka-chat > *").length);
}

export const call = { toolCallId: "c1", toolName: "order" };
export const input: WireEvent = { type: "tool-input-available", ...call, input: { id: 7 } };
export const output: WireEvent = { type: "tool-output-available", toolCallId: "c1", output: { sum: 5 } };
