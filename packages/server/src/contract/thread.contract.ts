import type { Message } from "@nitka/protocol";
import { createHeldModel } from "./held-model.contract.ts";
import type { HeldModel } from "./held-model.contract.ts";
import { serverOpener } from "./server.contract.ts";
import type { OpenOptions } from "./server.contract.ts";

/** Opens servers for a test, with a visitor and an empty thread. */
export function threadOpener() {
  const open = serverOpener();
  async function openThread(options: OpenOptions = {}) {
    const opened = await open(options);
    const client = await opened.visitor();
    return { ...opened, client, threadId: await client.newThread() };
  }
  /** The same with a model whose output the test controls. */
  async function openHeld(model: HeldModel = createHeldModel(), options: OpenOptions = {}) {
    return { model, ...(await openThread({ model, ...options })) };
  }
  return { open, openThread, openHeld };
}

/** Ends a run. */
export function finish(model: HeldModel, text = "Да"): void {
  model.write(text);
  model.end();
}

/** The text of a message; other parts by their types. */
export function wordsOf(content: Message["content"] | undefined): string | undefined {
  if (content === undefined || typeof content === "string") return content;
  return content.map((part) => ("text" in part ? part.text : part.type)).join("");
}
