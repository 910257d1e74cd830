import { describe, expect, it } from "vitest";
import {
  anna,
  answer,
  beginIn,
  question,
  regenerate,
  run,
  submit,
  time,
} from "../../storage/contract/fixture.contract.ts";
import { postgresForFile } from "../../storage/contract/postgres-for-file.contract.ts";
import { openPostgresStorage } from "../../storage/postgres.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import type { Storage } from "../../storage/storage.ts";
import { outcomeOf } from "./run-service.ts";

const postgres = postgresForFile();

const databases: readonly (readonly [string, () => Promise<Storage>])[] = [
  ["SQLite", () => openSqliteStorage({ path: ":memory:" })],
  [
    "Postgres",
    async () =>
      await openPostgresStorage({
        url: await postgres.createMigrated(),
        instanceId: "here",
        connections: 2,
      }),
  ],
];

const end = ({ runs }: Storage, n: number, status?: Parameters<typeof answer>[2]) =>
  runs.end(`run${n}`, answer(n, "Да", status), time(2), { log: { seq: 0, tail: [], instanceId: "here" } });

/** Anna's question 1 as it is posted, and the possible earlier states of it and its thread. */
const states: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
  ["is new in an empty thread", ({ threads }) => threads.create(anna, { threadId: "t1", updatedAt: time(0) })],
  ["is being answered", (storage) => beginIn(storage, "t1", 1)],
  [
    "was answered",
    async (storage) => {
      await beginIn(storage, "t1", 1);
      await end(storage, 1);
    },
  ],
  [
    "has an answer that failed",
    async (storage) => {
      await beginIn(storage, "t1", 1);
      await end(storage, 1, { type: "incomplete", reason: "error" });
    },
  ],
  [
    "is being answered anew",
    async (storage) => {
      await beginIn(storage, "t1", 1);
      await end(storage, 1);
      await storage.runs.begin(anna, { ...run(1), runId: "again", answerId: "a1b" }, question(1), regenerate(3));
    },
  ],
  ["is new where another is being answered", (storage) => beginIn(storage, "t1", 2)],
  [
    "has the id of an answer where another is being answered",
    async (storage) => {
      await storage.threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await storage.runs.begin(anna, { ...run(2), answerId: "q1" }, question(2), submit(1));
    },
  ],
  [
    "was answered where another is being answered",
    async (storage) => {
      await beginIn(storage, "t1", 1);
      await end(storage, 1);
      await storage.runs.begin(anna, run(2), question(2, "a1"), submit(3));
    },
  ],
];

describe.each(databases)("The prediction for a question on %s", (_, open) => {
  it.each(
    states.flatMap(([state, arrange]) =>
      (["submit-message", "regenerate-message"] as const).map((trigger) => ({ state, trigger, arrange })),
    ),
  )("is what the storage does with one that $state: $trigger", async ({ trigger, arrange }) => {
    const storage = await open();
    try {
      await arrange(storage);
      const standing = await storage.runs.standing(anna, "t1", "q1");
      if (!standing) throw new Error("There is no thread");
      const predicted = outcomeOf(standing, trigger);
      const posted = { ...run(1), runId: "posted", answerId: "posted-answer" };
      const options = trigger === "submit-message" ? submit(9) : regenerate(9);
      const done = await storage.runs.begin(anna, posted, question(1), options);
      const isDecided = done.outcome === "known" || done.outcome === "busy";
      expect(predicted).toEqual(isDecided ? done : undefined);
    } finally {
      await storage.close();
    }
  });
});
