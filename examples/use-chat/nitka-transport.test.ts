import { readFileSync } from "node:fs";
import type { UIMessage } from "ai";
import { afterEach, expect, it, vi } from "vitest";
import { createNitkaTransport } from "./nitka-transport.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("is the transport that the documentation shows", () => {
  const [, section = ""] = read("../../docs/extending.md").split("\n## useChat in place of the widget\n");
  expect(/^```ts\n(.*?)^```$/ms.exec(section)?.[1]).toBe(read("nitka-transport.ts"));
});

afterEach(() => vi.unstubAllGlobals());

type Send = Parameters<ReturnType<typeof createNitkaTransport>["sendMessages"]>[0];

it("gives an edited question an id of its own, which a regeneration names again", async () => {
  const bodies: { readonly messages: readonly { readonly id: string; readonly parentId: string | null }[] }[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { readonly body: string }) => {
    bodies.push(JSON.parse(body) as (typeof bodies)[number]);
    return new Response("data: [DONE]\n\n");
  });
  const transport = createNitkaTransport("http://nitka.test/api/debug/threads");
  const message = (id: string, role: "user" | "assistant"): UIMessage => ({ id, role, parts: [] });
  const history = [message("q1", "user"), message("a1", "assistant"), message("q2", "user")];
  const send = (trigger: Send["trigger"], messageId?: string) =>
    transport.sendMessages({ chatId: "t1", messages: history, trigger, messageId, abortSignal: undefined });
  await send("submit-message");
  await send("submit-message", "q2");
  await send("regenerate-message", "a2");
  const questions = bodies.map(({ messages }) => messages[0]);
  expect(questions.map((question) => question?.parentId)).toEqual(["a1", "a1", "a1"]);
  const [asked, edited, again] = questions.map((question) => question?.id);
  expect(asked).toBe("q2");
  expect(edited).not.toBe("q2");
  expect(again).toBe(edited);
});
