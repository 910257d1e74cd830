import { describe } from "vitest";
import { defineLives } from "./define-lives.ts";
import { startPostgresLanes } from "./place.ts";

describe("whatever fails on Postgres, everything", () => {
  defineLives({ count: 8, atOnce: 12, lanes: startPostgresLanes });
});
