// @vitest-environment node
import type { RunRequest } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noon, startScriptedChat } from "../actions/scripted-chat.ts";
import { draftOf } from "../store/selectors.ts";
import { hostCredential } from "../transport/credential.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import { persistDrafts } from "./persist-drafts.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const features = { resume: true, pageContext: true };
const never = new Promise<never>(() => undefined);

interface Tab {
  readonly kept: Map<string, string>;
  /** The questions that the backend has received. */
  readonly stored: RunRequest["messages"][0][];
  readonly keptAlive: unknown[];
}

/** A page in a tab. After the visitor has asked, the thing that `missing` names does not load. */
async function openPage({ kept, stored, keptAlive }: Tab, missing?: string) {
  const { signal } = new AbortController();
  let hasAsked = false;
  const isMissing = (what: string) => hasAsked && missing === what;
  const backend = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address);
    if (pathname.endsWith("/threads")) return Response.json([{ threadId: "t1", updatedAt: noon.toISOString() }]);
    if (pathname.endsWith("/messages")) return Response.json(stored);
    if (isMissing("network")) throw new TypeError("Failed to fetch");
    stored.push((JSON.parse(init.body as string) as RunRequest).messages[0]);
    keptAlive.push(init.keepalive);
    return never;
  };
  const transport = createHttpTransport(
    {
      base: "https://chat.example",
      credentials: "include",
      signal,
      fetch: (input, init) => backend(input as string, init),
      credential: hostCredential(() => (isMissing("visitorToken") ? () => never : "token")),
    },
    features,
  );
  const pageOffer = () => ({ pageContext: () => (isMissing("pageContext") ? never : { page: "cart" }) });
  // Code is preloaded, because the tests are not about its loading.
  await Promise.all([import("../actions/tools/page-tools.ts"), import("../transport/read-run.ts")]);
  const chat = await startScriptedChat({}, { features }, { transport, pageOffer });
  persistDrafts({
    store: chat.store,
    prefix: "p:",
    pictureOf: async ({ url }) => url,
    storage: {
      read: (key) => kept.get(key),
      write: (key, value) => void kept.set(key, value),
      remove: (key) => void kept.delete(key),
    },
  });
  return {
    chat,
    async ask(text: string, settles: number) {
      hasAsked = true;
      await chat.actions.sendText("t1", text);
      for (let count = 0; count < settles; count += 1) await vi.advanceTimersByTimeAsync(100);
    },
    found: () => ({
      draft: draftOf(chat.store.get(), "t1").text,
      asked: chat.conversation().messages.flatMap((message) => (message.role === "user" ? textOf(message) : [])),
    }),
  };
}

const newTab = (): Tab => ({ kept: new Map(), stored: [], keptAlive: [] });

it.each(["pageContext", "visitorToken", "network"])(
  "a question that has not left the page is in the draft of the next one: without %s",
  async (missing) => {
    for (const settles of [0, 1, 15]) {
      const tab = newTab();
      const page = await openPage(tab, missing);
      await page.ask("Где мой заказ?", settles);
      // The page is gone. Only its storage and the backend's data are left.
      const next = await openPage({ ...tab, kept: new Map(tab.kept) });
      expect({ settles, ...next.found() }).toEqual({ settles, draft: "Где мой заказ?", asked: [] });
    }
  },
);

it("a question whose request is under way outlives the page, and is in the history of the next one alone", async () => {
  const tab = newTab();
  const page = await openPage(tab);
  await page.ask("Где мой заказ?", 1);
  expect(tab.keptAlive).toEqual([true]);
  const next = await openPage({ ...tab, kept: new Map(tab.kept) });
  expect(next.found()).toEqual({ draft: "", asked: ["Где мой заказ?"] });
});

it("a question that is too large to outlive its page is kept until it is confirmed", async () => {
  const tab = newTab();
  const page = await openPage(tab);
  const text = "Длинно. ".repeat(10_000);
  await page.ask(text, 1);
  const next = await openPage({ ...tab, stored: [], kept: new Map(tab.kept) });
  expect({ keptAlive: tab.keptAlive, ...next.found() }).toEqual({ keptAlive: [false], draft: text, asked: [] });
});
