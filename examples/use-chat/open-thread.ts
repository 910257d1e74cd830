import { toUiMessage } from "@nitka/ai-sdk";
import type { Message, Thread } from "@nitka/protocol";
import type { ShopMessage } from "./shop-message.ts";

/** The address of the threads. The page's own origin forwards `/api/` to Nitka. */
export const threads = "/api/debug/threads";

/** A thread and its history. */
export interface OpenThread {
  readonly id: string;
  readonly messages: readonly ShopMessage[];
}

let opened: Promise<OpenThread> | undefined;

/** The visitor's newest thread, or a new one. Further calls return the same one. */
export function openThread(): Promise<OpenThread> {
  return (opened ??= open());
}

async function open(): Promise<OpenThread> {
  const [newest] = (await request(threads)) as readonly Thread[];
  const { threadId: id } = newest ?? ((await request(threads, {})) as Thread);
  const messages = (await request(`${threads}/${id}/messages`)) as readonly Message[];
  // An answer that is being written arrives completely with the stream of its run.
  const settled = messages.filter(({ status }) => status?.type !== "running");
  // The addresses of attachments are relative to the API base, which is the page's origin here.
  const resolve = (url: string) => new URL(url, `${location.origin}/`).href;
  return {
    id,
    messages: settled.map((message) => toUiMessage(message, resolve) as ShopMessage),
  };
}

async function request(url: string, body?: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, body && { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return response.json();
}
