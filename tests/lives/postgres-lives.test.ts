import { expect, it } from "vitest";
import { startPostgresLanes } from "./place.ts";
import { runLives } from "./run-lives.ts";

it("whatever fails on Postgres, everything comes to rest and is true", { timeout: 3_600_000 }, async () => {
  expect(await runLives({ count: 16, atOnce: 12, lanes: startPostgresLanes })).toEqual([]);
});
