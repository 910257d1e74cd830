import { describe } from "vitest";
import { defineLives } from "./define-lives.ts";
import { startSqliteLanes } from "./place.ts";

describe("whatever fails on SQLite, everything", () => {
  defineLives({ count: 24, atOnce: 24, lanes: startSqliteLanes });
});
