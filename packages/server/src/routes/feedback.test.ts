import { expect, it } from "vitest";
import type { Client, OpenOptions } from "../contract/server.contract.ts";
import { eventsOf, refusalOf } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";
import { ownerOf } from "../contract/instances.contract.ts";
import { createWordKnowledge } from "../model/knowledge/searching-model.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";

const { openThread, openHeld } = threadOpener();

async function openAnswered(options: OpenOptions = {}) {
  const opened = await openThread(options);
  const { client, threadId } = opened;
  await eventsOf(await client.ask(threadId, { id: "q1" }));
  const answerId = (await client.messages(threadId)).at(-1)?.id ?? "";
  const rate = (body: unknown, messageId = answerId, by: Client = client) =>
    by.post(`threads/${threadId}/messages/${encodeURIComponent(messageId)}/feedback`, body);
  const feedback = async () => (await client.messages(threadId)).at(-1)?.feedback;
  return { ...opened, answerId, rate, feedback };
}

it("A rating is stored with its reason, listed, replaced and removed", async () => {
  const { rate, feedback, client, storage } = await openAnswered();
  const response = await rate({ rating: "down", reason: "  Не та погода\n" });
  expect([response.status, await response.text()]).toEqual([204, ""]);
  expect(await feedback()).toEqual({ rating: "down", reason: "Не та погода" });
  const [thread] = (await exportOf(storage, ownerOf(client))).threads;
  expect(thread).toMatchObject({ messages: [{}, { feedback: { rating: "down", reason: "Не та погода" } }] });
  await rate({ rating: "up", reason: "   " });
  expect(await feedback()).toEqual({ rating: "up" });
  expect((await rate({ rating: null, reason: "Передумал" })).status).toBe(204);
  expect(await feedback()).toBeUndefined();
});

it("An answer that is being written can be rated, and keeps its rating at its end", async () => {
  const { client, threadId, model } = await openHeld();
  const stream = await client.ask(threadId, { id: "q1" });
  await model.asked(1);
  const id = (await client.messages(threadId)).at(-1)?.id;
  expect((await client.post(`threads/${threadId}/messages/${id}/feedback`, { rating: "up" })).status).toBe(204);
  finish(model);
  await eventsOf(stream);
  expect((await client.messages(threadId)).at(-1)).toMatchObject({
    status: { type: "complete" },
    feedback: { rating: "up" },
  });
});

it("A malformed rating, and the rating of a question, is refused with the reason", async () => {
  const { rate, feedback } = await openAnswered();
  const sentences: string[] = [];
  for (const [body, id] of [
    [{}],
    [{ rating: "ok" }],
    [{ rating: "up", reason: 7 }],
    [{ rating: "up", reason: "x".repeat(2_001) }],
    [{ rating: "up" }, "q1"],
  ] as const) {
    const response = await rate(body, id);
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    sentences.push(`${response.status} ${error.message}`);
  }
  expect(sentences).toEqual([
    '422 rating: must be "up", "down" or null.',
    '422 rating: must be "up", "down" or null.',
    "422 reason: must be a string.",
    "422 reason: has at most 2000 characters.",
    "422 Only answers are rated: this message is a question.",
  ]);
  expect(await feedback()).toBeUndefined();
  expect((await rate({ rating: "up", reason: "x".repeat(2_000) })).status).toBe(204);
});

it("An unknown message and one of another visitor are not found, with the same response", async () => {
  const { rate, feedback, visitor } = await openAnswered();
  const [unknown, long, foreign] = [
    await rate({ rating: "up" }, "unknown"),
    await rate({ rating: "up" }, "x".repeat(200)),
    await rate({ rating: "up" }, undefined, await visitor()),
  ];
  expect([unknown.status, long.status]).toEqual([404, 404]);
  expect(await long.text()).toBe(await unknown.text());
  expect(await refusalOf(foreign)).toBe("404 not_found");
  expect(await feedback()).toBeUndefined();
});

it("Ratings are counted by project and rating; a later reason is not a second rating", async () => {
  const { rate, server } = await openAnswered();
  await rate({ rating: "down" });
  await rate({ rating: "down", reason: "Не то" });
  await rate({ rating: null });
  await rate({ rating: "up" });
  const page = await (await server.fetch(new Request("http://nitka.test/metrics"))).text();
  expect(page.match(/^nitka_feedback_total.*$/gm)).toEqual([
    'nitka_feedback_total{project="default",rating="down"} 1',
    'nitka_feedback_total{project="default",rating="up"} 1',
  ]);
});

it("Ratings count against the requests of their address", async () => {
  const { client, threadId } = await openThread({ project: { limits: { requestsPerMinute: 8 } } });
  const statuses: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    statuses.push((await client.post(`threads/${threadId}/messages/a1/feedback`, { rating: "up" })).status);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
});

it("A dislike that is withdrawn before its question was read is not among the unanswered questions", async () => {
  const stored = await openSqliteStorage({ path: ":memory:" });
  const takenBack = Promise.withResolvers<void>();
  const find: typeof stored.messages.find = async (...whose) => {
    const message = await stored.messages.find(...whose);
    await takenBack.promise;
    return message;
  };
  const storage = { ...stored, messages: { ...stored.messages, find } };
  const { rate, feedback, server } = await openAnswered({ storage, project: { knowledge: createWordKnowledge() } });
  const disliked = rate({ rating: "down" });
  await expect.poll(feedback).toEqual({ rating: "down" });
  expect((await rate({ rating: null })).status).toBe(204);
  takenBack.resolve();
  expect((await disliked).status).toBe(204);
  const from = "2000-01-01T00:00:00.000Z";
  expect(await stored.desk.unanswered({ projectIds: ["default"], from, limit: 10 })).toEqual([]);
  await server.close();
  await stored.close();
});
