import { afterEach, expect, it, vi } from "vitest";
import { eventually } from "../../test-waits/eventually.contract.ts";
import { anna, exportOf } from "../../storage/contract/fixture.contract.ts";
import type { Parts, Storage } from "../../storage/storage.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Retention } from "./housekeeping.ts";
import type { Log } from "../log.ts";
import { defaultTimings } from "../timings.ts";

const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();

afterEach(() => void vi.useRealTimers());

/** A storage with some methods replaced, and its housekeeping. The lines are from the log, with their subjects. */
async function keepHouse(
  change: (storage: Storage) => Storage,
  retentionOf: (projectId: string) => Retention = () => ({ retentionDays: 30, archiveDays: null }),
  now = day(14),
) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const lines: string[] = [];
  const write: Log["warn"] = ({ step, round, projectId = "" }, text) =>
    lines.push(`${text}: ${String(step ?? round)} ${String(projectId)}`.trim());
  const logger = { info: write, warn: write, error: write };
  const clock = () => new Date(now);
  const start = () =>
    startHousekeeping({ storage: change(storage), clock, logger, timings: defaultTimings, retentionOf });
  return { storage, lines, start };
}

/** Parts that are counted as they are done; the part that `part` rejects for fails. */
async function* counted(part: () => Promise<number>): Parts {
  for (;;) {
    const count = await part();
    if (count === 0) return;
    yield count;
  }
}

it("housekeeping runs every step when one fails, logs which one failed, and retries it", async () => {
  vi.useFakeTimers();
  const tries: string[] = [];
  let fails = true;
  const { storage, lines, start } = await keepHouse((real) => ({
    ...real,
    runs: {
      ...real.runs,
      forget: () =>
        counted(async () => {
          tries.push("logs");
          if (fails) throw new Error("no logs today");
          return 0;
        }),
    },
    attachments: {
      ...real.attachments,
      sweep: () =>
        counted(async () => {
          tries.push("files");
          return 0;
        }),
    },
  }));
  const stop = start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tries).toEqual(["logs", "files"]);
  expect(lines).toEqual(["expired data could not be dropped: run logs"]);
  fails = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toEqual(["logs", "files", "logs", "files"]);
  expect(lines).toHaveLength(1);
  stop();
  await storage.close();
});

it("housekeeping expires the other projects when one fails, and retries that one in an hour", async () => {
  vi.useFakeTimers();
  const tries: string[] = [];
  const { storage, lines, start } = await keepHouse((real) => ({
    ...real,
    visitors: {
      ...real.visitors,
      projects: async () => ["a", "b", "c"],
      expire: (projectId) =>
        counted(async () => {
          tries.push(projectId);
          if (projectId === "b" && tries.length < 4) throw new Error("not this one");
          return 0;
        }),
    },
  }));
  const stop = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toEqual(["a", "b", "c"]);
  expect(lines).toEqual(["expired data could not be dropped: untouched threads b"]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(tries).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(lines).toHaveLength(1);
  stop();
  await storage.close();
});

it("housekeeping lets no project wait for the end of another, and stops between two parts", async () => {
  vi.useFakeTimers();
  const done: string[] = [];
  const { storage, start } = await keepHouse((real) => ({
    ...real,
    visitors: {
      ...real.visitors,
      projects: async () => ["endless", "small"],
      expire: (projectId) => {
        let left = projectId === "endless" ? Number.POSITIVE_INFINITY : 2;
        return counted(async () => {
          done.push(projectId);
          left -= 1;
          return left < 0 ? 0 : 20;
        });
      },
    },
  }));
  const stop = start();
  await vi.waitUntil(
    async () => {
      await vi.advanceTimersByTimeAsync(10);
      return done.length > 8;
    },
    { timeout: 60_000 },
  );
  expect(done.slice(0, 7)).toEqual(["endless", "small", "endless", "small", "endless", "small", "endless"]);
  stop();
  await vi.advanceTimersByTimeAsync(1_000);
  const whenStopped = done.length;
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect(done).toHaveLength(whenStopped);
  await storage.close();
});

it.each(["run logs", "files", "retention"] as const)(
  "begins the round of %s only when the previous one has ended, and delays no other round",
  async (hanging) => {
    vi.useFakeTimers();
    const begun: string[] = [];
    const hang = Promise.withResolvers<void>();
    const round = (name: string) =>
      counted(async () => {
        begun.push(name);
        if (name === hanging) await hang.promise;
        return 0;
      });
    const { storage, lines, start } = await keepHouse((real) => ({
      ...real,
      runs: { ...real.runs, forget: () => round("run logs") },
      attachments: { ...real.attachments, sweep: () => round("files"), expire: () => round("retention") },
    }));
    const stop = start();
    await vi.advanceTimersByTimeAsync(7_200_000);
    const count = (name: string) => begun.filter((each) => each === name).length;
    expect(count(hanging)).toBe(1);
    const others = ["run logs", "files", "retention"].filter((name) => name !== hanging);
    for (const name of others) expect(count(name)).toBeGreaterThan(2);
    expect(new Set(lines)).toEqual(new Set([`expired data is still being dropped: ${hanging}`]));
    hang.resolve();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(count(hanging)).toBeGreaterThan(1);
    stop();
    await storage.close();
  },
);

it("housekeeping deletes threads by the retention of their project, also of a project that is no longer configured", async () => {
  const days: Readonly<Record<string, Retention>> = {
    shop: { retentionDays: 10, archiveDays: 0 },
    blog: { retentionDays: null, archiveDays: 30 },
  };
  const { storage, lines, start } = await keepHouse(
    (real) => real,
    (projectId) => days[projectId] ?? { retentionDays: 10, archiveDays: 30 },
  );
  for (const projectId of ["shop", "blog", "gone"]) {
    const owner = { projectId, visitorId: "anna" };
    for (const [threadId, touched] of [
      ["old", 1],
      ["archived", 12],
      ["new", 12],
    ] as const) {
      await storage.threads.create(owner, { threadId: `${projectId} ${threadId}`, updatedAt: day(touched) });
    }
    await storage.threads.archive(owner, `${projectId} archived`, day(13));
  }
  const stop = start();
  const kept = async () =>
    (
      await Promise.all(
        ["shop", "blog", "gone"].map((projectId) => exportOf(storage, { projectId, visitorId: "anna" })),
      )
    )
      .flatMap(({ threads }) => threads.map(({ threadId }) => threadId))
      .toSorted();
  await eventually(async () =>
    expect(await kept()).toEqual(["blog archived", "blog new", "blog old", "gone archived", "gone new", "shop new"]),
  );
  await eventually(() =>
    expect(lines.toSorted()).toEqual([
      "expired data was dropped: archived threads",
      "expired data was dropped: untouched threads",
    ]),
  );
  stop();
  await storage.close();
});

it.each([
  ["after 400 days where threads are kept forever", null, "2026-11-20", ["anna"]],
  ["after 400 days where threads are kept longer", 3_650, "2026-11-20", ["anna"]],
  ["with the threads", 30, "2026-11-20", ["anna"]],
])("drops the usage of visitors %s, but no sum of the project", async (_, retentionDays, kept, left) => {
  const { storage, start } = await keepHouse(
    (real) => real,
    () => ({ retentionDays, archiveDays: null }),
    "2026-11-21T12:00:00.000Z",
  );
  const call = { modelId: "m", purpose: "answer", calls: 1, estimatedCalls: 0, inputTokens: 1, cachedInputTokens: 0 };
  const old = retentionDays === 30 ? "2026-10-21" : "2025-10-16";
  await storage.threads.create(anna, { threadId: "t1", updatedAt: `${kept}T00:00:00.000Z` });
  for (const on of [old, kept]) {
    await storage.usage.add(anna, "t1", [{ ...call, outputTokens: 1 }], `${on}T12:00:00.000Z`);
  }
  const stop = start();
  const visitorsOf = async (on: string) =>
    (await storage.usage.report({ by: "visitor", from: on, to: on })).map(({ key }) => key);
  await eventually(async () => expect(await visitorsOf(old)).toEqual([null]));
  expect(await visitorsOf(kept)).toEqual(left);
  stop();
  await storage.close();
});
