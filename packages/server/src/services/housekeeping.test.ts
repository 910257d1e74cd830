import { expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";
import type { Storage } from "../storage/storage.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Retention } from "./housekeeping.ts";
import type { Log } from "./log.ts";

it("runs every step when one fails, and logs which one failed", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const dropped: string[] = [];
  const failing: Storage = {
    ...storage,
    runs: { ...storage.runs, forget: () => Promise.reject(new Error("no logs today")) },
    visitors: {
      ...storage.visitors,
      projects: async () => ["shop", "blog"],
      expire: async (projectId) => {
        dropped.push(projectId);
        return 0;
      },
    },
  };
  const lines: unknown[] = [];
  const write: Log["warn"] = (fields, text) => lines.push([text, fields["step"]]);
  const stop = startHousekeeping({
    storage: failing,
    clock: () => new Date(),
    logger: { info: write, warn: write, error: write },
    retentionOf: () => ({ retentionDays: 30, archiveDays: null }),
  });
  await eventually(() => expect(dropped).toEqual(["shop", "blog"]));
  stop();
  await storage.close();
  expect(lines).toEqual([["expired data could not be dropped", "run logs"]]);
});

it("deletes threads by the days of their project, also of a project that is not configured any more", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
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
  const days: Readonly<Record<string, Retention>> = {
    shop: { retentionDays: 10, archiveDays: 0 },
    blog: { retentionDays: null, archiveDays: 30 },
  };
  const lines: string[] = [];
  const stop = startHousekeeping({
    storage,
    retentionOf: (projectId) => days[projectId] ?? { retentionDays: 10, archiveDays: 30 },
    clock: () => new Date(day(14)),
    logger: {
      info: (fields) => lines.push(`${String(fields["step"])} ${String(fields["dropped"])}`),
      warn: () => undefined,
      error: () => undefined,
    },
  });
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
  await eventually(() => expect(lines).toEqual(["archived threads 1", "untouched threads 2"]));
  stop();
  await storage.close();
});
