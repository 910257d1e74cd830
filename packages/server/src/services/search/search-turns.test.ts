import { afterEach, beforeEach, expect, it } from "vitest";
import { anna, answer, question, run, submit, time } from "../../storage/contract/fixture.contract.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import type { Storage } from "../../storage/storage.ts";
import { createSearchService } from "./search-service.ts";

let storage: Storage;

beforeEach(async () => {
  storage = await openSqliteStorage({ path: ":memory:" });
});

afterEach(async () => storage.close());

/** A thread of `count` questions with a text. */
async function said(threadId: string, text: string, count = 1): Promise<void> {
  await storage.threads.create(anna, { threadId, updatedAt: time(1) });
  for (let n = 0; n < count; n += 1) {
    const id = `${threadId}-${n}`;
    const parentId = n === 0 ? null : `answer-${threadId}-${n - 1}`;
    const ids = { runId: `run-${id}`, questionId: id, answerId: `answer-${id}` };
    await storage.runs.begin(
      anna,
      { ...run(1, threadId), ...ids },
      { ...question(1, parentId), id, content: text },
      {
        ...submit(1),
      },
    );
    await storage.runs.end(ids.runId, { ...answer(1, "ок"), id: ids.answerId, parentId: id }, time(1));
  }
}

/** The number of turns of the event loop during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

const long = "искомое слово за словом ".repeat(500);

it("a search reads a thread of long messages message by message, so that other requests are served in between", async () => {
  await said("t1", long, 60);
  const search = createSearchService(storage);
  expect(await turnsDuring(() => search.find(anna, "искомое"))).toBeGreaterThanOrEqual(60);
});

it("a search cuts the matches of long messages in turns of the event loop", async () => {
  for (let n = 0; n < 40; n += 1) await said(`t${n}`, long);
  const search = createSearchService(storage);
  await search.find(anna, "искомое");
  expect(await turnsDuring(() => search.find(anna, "искомое"))).toBeGreaterThanOrEqual(40);
});

it("a search stores the words of few threads at once, and those of each thread once for two concurrent searches", async () => {
  for (let n = 0; n < 60; n += 1) await said(`t${n}`, "искомое");
  const kept: string[][] = [];
  const search = createSearchService({
    search: {
      ...storage.search,
      keep: async (owner, threads) => {
        kept.push(threads.map(({ threadId }) => threadId));
        await storage.search.keep(owner, threads);
      },
    },
  });
  const [one, other] = await Promise.all([search.find(anna, "искомое"), search.find(anna, "искомое")]);
  expect(one).toHaveLength(50);
  expect(other).toEqual(one);
  expect(new Set(kept.flat()).size).toBe(60);
  expect(kept.flat()).toHaveLength(60);
  expect(Math.max(...kept.map(({ length }) => length))).toBeLessThanOrEqual(20);
});
