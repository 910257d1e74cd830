import { expect, it } from "vitest";
import { startSqliteLanes } from "./place.ts";
import { runLives } from "./run-lives.ts";

it("whatever fails on SQLite, everything comes to rest and is true", { timeout: 3_600_000 }, async () => {
  expect(await runLives({ count: 40, atOnce: 24, lanes: startSqliteLanes })).toEqual([]);
});
