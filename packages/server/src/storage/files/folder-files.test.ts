import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { FileRefusedError } from "../storage.ts";
import { fileStoreContract } from "./file-store.contract.ts";
import { createFolderFiles } from "./folder-files.ts";
import { piecesOf } from "./pieces.contract.ts";

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "nitka-files-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("a folder", () => {
  fileStoreContract(async () => createFolderFiles(await newFolder()));

  it("has each file under its id, two folders deep, and nothing of a deleted one", async () => {
    const folder = await newFolder();
    const files = createFolderFiles(join(folder, "made"));
    await files.write("k3x9p0", piecesOf(Uint8Array.of(1)));
    const names = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    expect(await names()).toEqual(["made/k3/x9/k3x9p0"]);
    await files.delete("k3x9p0");
    expect(await names()).toEqual([]);
  });

  it("rejects what a retry would not change as refused", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "a-file"), "");
    const files = createFolderFiles(join(folder, "a-file"));
    await expect(files.write("k3x9p0", piecesOf(Uint8Array.of(1)))).rejects.toThrow(FileRefusedError);
  });

  it("refuses an id that could lead out of it", async () => {
    const files = createFolderFiles(await newFolder());
    await expect(files.write("../../etc/passwd", piecesOf(Uint8Array.of(1)))).rejects.toThrow(
      "cannot be a file's name",
    );
  });
});
