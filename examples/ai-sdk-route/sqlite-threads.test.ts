import { threadStorageContract } from "@nitka/ai-sdk/storage-contract";
import { describe, expect, it } from "vitest";
import { openSqliteThreads } from "./sqlite-threads.ts";

describe("Threads in SQLite", () => {
  const storage = openSqliteThreads(":memory:");
  it.each(threadStorageContract)("$title", ({ check }) => expect(check(storage)).resolves.toBeUndefined());
});
