import { describe, expect, it } from "vitest";
import { createMemoryThreads } from "./memory-threads.ts";
import { threadStorageContract } from "./thread-storage-contract.ts";

describe("The in-memory storage", () => {
  const storage = createMemoryThreads();
  it.each(threadStorageContract)("$title", ({ check }) => expect(check(storage)).resolves.toBeUndefined());
});
