import { LLMock } from "@copilotkit/aimock";
import type { Attachment } from "@nitka/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventsOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";

const { openThread } = threadOpener();
const upstream = new LLMock({ port: 0 });

beforeAll(async () => {
  upstream.on({ predicate: () => true }, { content: "Ясно" });
  await upstream.start();
});
afterAll(() => upstream.stop());

it("The upstream gets no more than limits.contextChars, including the text of files of every kind", async () => {
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url });
  const limits = { contextChars: 30_000, messagesPerMinute: null, uploadsPerMinute: null };
  const project = { instructions: "i".repeat(500), limits, config: { attachments: { accept: "*/*" } } };
  const { client, threadId } = await openThread({ model, project });
  for (const [index, [name, type]] of [
    ["a.json", "application/json"],
    ["b.svg", "image/svg+xml"],
    ["c.txt", "text/plain"],
    ["d.xml", "application/xml"],
  ].entries()) {
    const file = new File(["x".repeat(40_000)], name ?? "", { type: type ?? "" });
    const uploaded = (await (await client.upload(threadId, file)).json()) as Attachment;
    await eventsOf(await client.ask(threadId, { id: `q${index}`, content: `Файл ${name}`, attachments: [uploaded] }));
    const messages = answered();
    const chars = messages.reduce((sum, { content }) => sum + textChars(content), 0);
    expect({ name, chars: chars <= 30_000 || chars }).toEqual({ name, chars: true });
    expect(JSON.stringify(messages.at(-1))).toContain(`Файл ${name}`);
    expect(JSON.stringify(messages.at(-1))).toContain("Cut off here");
  }
});

/** The messages of the last request for an answer, not for a title. */
function answered(): readonly { readonly content: unknown }[] {
  const bodies = upstream.getRequests().map(({ body }) => body as { readonly messages: { content: unknown }[] });
  return (
    bodies.findLast(({ messages }) => !JSON.stringify(messages[0]).includes("You name conversations"))?.messages ?? []
  );
}

function textChars(content: unknown): number {
  if (typeof content === "string") return content.length;
  return (content as readonly { readonly text?: string }[]).reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
}
