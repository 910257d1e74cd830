import { describe } from "vitest";
import { openSqliteStorage } from "./sqlite.ts";
import { storageContract } from "./storage.contract.ts";

describe("SQLite", () => {
  storageContract(() => openSqliteStorage({ path: ":memory:" }));
});
