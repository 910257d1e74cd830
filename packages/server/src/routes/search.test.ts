import type { FoundThread } from "@nitka/protocol";
import { expect, it } from "vitest";
import { Client, eventsOf, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";

const { open, openThread } = threadOpener();

const search = (client: Client, query: string) => client.get(`threads?query=${encodeURIComponent(query)}`);
const found = async (client: Client, query: string) => (await (await search(client, query)).json()) as FoundThread[];

const model = createScriptedModel({ script: saying("Доставка занимает ", "**три дня**"), title: "Ожидание" });

it("a visitor finds threads by their words, with the text around them", async () => {
  const { client, threadId } = await openThread({ model });
  await eventsOf(await client.ask(threadId, { id: "q1", content: "Когда привезут?" }));
  const [thread] = await client.threads();
  expect(await found(client, "доставку занимали")).toEqual([{ ...thread, match: "Доставка занимает три дня" }]);
  expect(await found(client, "ожидания доставки")).toEqual([{ ...thread, match: "Доставка занимает три дня" }]);
  expect(await found(client, "ожидан")).toEqual([thread]);
  expect(await found(client, "самолёт")).toEqual([]);
});

it("a query has 1 to 200 characters; punctuation finds nothing", async () => {
  const { visitor } = await open();
  const client = await visitor();
  for (const query of ["", " \n", "ы".repeat(201)])
    expect(await refusalOf(await search(client, query))).toBe("422 unprocessable");
  for (const query of ["?!", "🎉".repeat(200), "ы".repeat(200)]) expect(await found(client, query)).toEqual([]);
});

it("nobody finds another visitor's words, whatever they send", async () => {
  const { visitor, server } = await open({ model });
  const [anna, boris] = [await visitor(), await visitor()];
  await eventsOf(await anna.ask(await anna.newThread(), { id: "q1" }));
  expect(await found(anna, "доставка")).toHaveLength(1);
  expect(await found(boris, "доставка")).toEqual([]);
  expect(await found(new Client(server, "default"), "доставка")).toEqual([]);
});

it("a search that runs while answers are stored misses none of them", async () => {
  const { visitor } = await open({
    model,
    project: {
      limits: { messagesPerMinute: null, addressMessagesPerMinute: null, runsAtOnce: null, addressRunsAtOnce: null },
    },
  });
  const client = await visitor();
  const asked = Array.from({ length: 12 }, async (_, n) => {
    await eventsOf(await client.ask(await client.newThread(), { id: `q${n}`, content: `вопрос ${n}` }));
    const all = await Promise.all([found(client, "доставка"), found(client, `вопрос ${n} дня`)]);
    expect(all[1].length).toBeGreaterThan(0);
  });
  await Promise.all(asked);
  expect(await found(client, "доставка")).toHaveLength(12);
});
