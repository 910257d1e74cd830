import { describe, expect, it } from "vitest";
import type { FileStore } from "./file-store.ts";
import { PIECE_BYTES } from "./in-chunks.ts";
import { bytesOf, piecesOf } from "./pieces.contract.ts";

/** The promises of every store of files. `open` gives a new, empty store each time. */
export function fileStoreContract(open: () => Promise<FileStore>): void {
  describe("a store of files", () => {
    const large = new Uint8Array(1_000_000).map((_, n) => n % 251);

    it("returns the bytes of a file, whatever the pieces in which they were written", async () => {
      const files = await open();
      for (const [id, size] of [
        ["one", 1_000_000],
        ["many", 7_777],
        ["chunks", PIECE_BYTES],
      ] as const) {
        await files.write(id, piecesOf(large, size));
        expect(Buffer.compare(await bytesOf(files.read(id, { start: 0, end: large.length })), large)).toBe(0);
      }
    });

    it("reads pieces of bounded size, and any range of bytes", async () => {
      const files = await open();
      await files.write("f1", piecesOf(large));
      for await (const piece of files.read("f1", { start: 0, end: large.length })) {
        expect(piece.length).toBeLessThanOrEqual(PIECE_BYTES);
      }
      for (const [start, end] of [
        [0, 1],
        [PIECE_BYTES - 1, PIECE_BYTES + 1],
        [300_000, 900_000],
        [999_999, 1_000_000],
        [5, 5],
      ] as const) {
        const range = await bytesOf(files.read("f1", { start, end }));
        expect(Buffer.compare(range, large.subarray(start, end))).toBe(0);
      }
    });

    it("reports a missing file, and one that is too short, as lost", async () => {
      const files = await open();
      const lost = { name: "FileLostError", message: expect.stringContaining("The file f1 ") as string };
      await expect(bytesOf(files.read("f1", { start: 0, end: 1 }))).rejects.toMatchObject(lost);
      await files.write("f1", piecesOf(Uint8Array.of(1, 2, 3)));
      await expect(bytesOf(files.read("f1", { start: 0, end: 4 }))).rejects.toMatchObject(lost);
    });

    it("deletes a file and the rest of a failed write, and resolves when there is none", async () => {
      const files = await open();
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield large;
        throw new Error("The body broke off");
      }
      await expect(files.write("f1", broken())).rejects.toThrow("The body broke off");
      await files.write("f2", piecesOf(large));
      for (const id of ["f1", "f2", "f3"]) {
        await files.delete(id);
        await expect(bytesOf(files.read(id, { start: 0, end: 1 }))).rejects.toThrow(id);
      }
    });

    it("distinguishes files by their ids", async () => {
      const files = await open();
      await files.write("abcdef", piecesOf(Uint8Array.of(1)));
      await files.write("abcdeg", piecesOf(Uint8Array.of(2)));
      await files.delete("abcdef");
      expect([...(await bytesOf(files.read("abcdeg", { start: 0, end: 1 })))]).toEqual([2]);
    });
  });
}
