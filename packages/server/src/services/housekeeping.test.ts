import { expect, it, vi } from "vitest";
import type { Storage } from "../storage/storage.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { startHousekeeping } from "./housekeeping.ts";
import type { Log } from "./log.ts";

it("runs every step though another one fails, and names the one that failed", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const dropped: string[] = [];
  const failing: Storage = {
    ...storage,
    runs: { ...storage.runs, forget: () => Promise.reject(new Error("no logs today")) },
    visitors: {
      ...storage.visitors,
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
    projectIds: ["shop", "blog"],
    clock: () => new Date(),
    log: { info: write, warn: write, error: write },
    retentionDays: 30,
  });
  await vi.waitFor(() => expect(dropped).toEqual(["shop", "blog"]));
  stop();
  await storage.close();
  expect(lines).toEqual([["expired data could not be dropped", "run logs"]]);
});
