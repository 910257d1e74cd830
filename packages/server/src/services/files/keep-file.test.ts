import { describe, expect, it } from "vitest";
import { anna, storageForEach, time } from "../../storage/contract/fixture.contract.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";
import { keepFile } from "./keep-file.ts";

const PIECE = 16_384;

/** A file of `count` pieces, whose first bytes are `head`, with the number of pieces that were read. */
function fileOf(head: string, count: number) {
  const file = { name: "a.png", contentType: "image/png", readPieces: 0, pieces: read() };
  async function* read() {
    for (let n = 0; n < count; n += 1) {
      file.readPieces += 1;
      yield Buffer.alloc(PIECE, n === 0 ? head.padEnd(PIECE, "\0") : "\0", "latin1");
    }
  }
  return file;
}

describe("a file", () => {
  const storage = storageForEach(() => openSqliteStorage({ path: ":memory:" }));
  const options = () => ({
    storage: storage.current,
    owner: anna,
    threadId: "t1",
    rules: { accept: "image/*", maxBytes: 10 * PIECE, maxCount: 5 },
    limits: { storageBytes: null, projectStorageBytes: null },
    clock: () => new Date(time(1)),
    newId: () => "f1",
  });

  it("is read to its end and stored when it is what its type says", async () => {
    await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) });
    const file = fileOf("\x89PNG\r\n\x1a\n", 10);
    expect(await keepFile(file, options())).toMatchObject({ id: "f1", contentType: "image/png", size: 10 * PIECE });
    expect(file.readPieces).toBe(10);
  });

  it.each([
    ["is not what its type says", "no picture", "unsupported_media_type"],
    ["is for a thread that is gone", "\x89PNG\r\n\x1a\n", "not_found"],
  ])("is read no further than its first 65,536 bytes when it %s", async (_, head, code) => {
    const file = fileOf(head, 10);
    await expect(keepFile(file, options())).rejects.toMatchObject({ code });
    expect(file.readPieces).toBe(4);
  });

  it("is read no further than to the first byte too many", async () => {
    await storage.current.threads.create(anna, { threadId: "t1", updatedAt: time(0) });
    const file = fileOf("\x89PNG\r\n\x1a\n", 20);
    await expect(keepFile(file, options())).rejects.toMatchObject({ code: "payload_too_large" });
    expect(file.readPieces).toBe(11);
  });
});
