import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { FileRefusedError, StorageUnavailableError } from "../storage.ts";
import { fileStoreContract } from "./file-store.contract.ts";
import { bytesOf, piecesOf } from "./pieces.contract.ts";
import { createS3Files } from "./s3-files.ts";
import type { S3FilesOptions } from "./s3-files.ts";

let folder = "";
let server: S3rver;
let endpoint = "";
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "nitka-s3-"));
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "files" }],
  });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function openFiles(options: Partial<S3FilesOptions> = {}) {
  count += 1;
  const key = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  return createS3Files({ endpoint, bucket: "files", prefix: `try${count}`, region: "us-east-1", ...key, ...options });
}

describe("a store that speaks S3", () => {
  fileStoreContract(async () => openFiles());

  it("writes a large file in parts, and nothing of one that breaks off", async () => {
    const files = openFiles();
    const large = new Uint8Array(12_000_000).map((_, n) => n % 251);
    await files.write("large", piecesOf(large));
    expect(Buffer.compare(await bytesOf(files.read("large", { start: 0, end: large.length })), large)).toBe(0);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield large;
      throw new Error("The body broke off");
    }
    await expect(files.write("broken", broken())).rejects.toThrow("The body broke off");
    await expect(bytesOf(files.read("broken", { start: 0, end: 1 }))).rejects.toThrow("broken");
  });

  it("writes files of exactly one part, of several, and an empty one", async () => {
    const files = openFiles();
    for (const length of [5_242_880, 10_485_760, 0]) {
      await files.write(`f${length}`, piecesOf(new Uint8Array(length)));
      expect((await bytesOf(files.read(`f${length}`, { start: 0, end: length }))).length).toBe(length);
    }
  });

  it("rejects with the reason: no bucket, a wrong key, no server", async () => {
    const lost = openFiles({ bucket: "nothing" });
    await expect(lost.write("f1", piecesOf(Uint8Array.of(1)))).rejects.toThrow("404 (NoSuchBucket)");
    const wrong = openFiles({ secretAccessKey: "wrong" });
    await expect(wrong.write("f1", piecesOf(Uint8Array.of(1)))).rejects.toThrow("403 (SignatureDoesNotMatch)");
    const nowhere = openFiles({ endpoint: "http://127.0.0.1:9" });
    await expect(nowhere.write("f1", piecesOf(Uint8Array.of(1)))).rejects.toThrow(StorageUnavailableError);
  });

  it.each([
    [400, FileRefusedError],
    [403, FileRefusedError],
    [404, FileRefusedError],
    [408, StorageUnavailableError],
    [429, StorageUnavailableError],
    [503, StorageUnavailableError],
  ])("rejects a %i as refused for good, or as worth a retry", async (status, kind) => {
    vi.stubGlobal("fetch", async () => new Response("<Error><Code>Because</Code></Error>", { status }));
    onTestFinished(() => void vi.unstubAllGlobals());
    const error: unknown = await openFiles()
      .write("f1", piecesOf(Uint8Array.of(1)))
      .catch((reason: unknown) => reason);
    expect([(error as Error).constructor, (error as Error).message]).toEqual([
      kind,
      expect.stringContaining(`responds with ${status} (Because)`),
    ]);
  });

  it("does not consider files of a missing bucket deleted or lost", async () => {
    const lost = openFiles({ bucket: "nothing" });
    await expect(lost.delete("f1")).rejects.toThrow("404 (NoSuchBucket)");
    await expect(bytesOf(lost.read("f1", { start: 0, end: 1 }))).rejects.toThrow("404 (NoSuchBucket)");
    // Some stores answer this to a deletion, where S3 answers 204.
    vi.stubGlobal("fetch", async () => new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 }));
    onTestFinished(() => void vi.unstubAllGlobals());
    await openFiles().delete("f1");
  });

  describe("whose body is slow", () => {
    const SECOND_MS = 1_000;

    /** Reads a file of four bytes: each takes `byteMs`, and at most `bytes` arrive. Resolves when it was requested. */
    async function readSlowly(byteMs: number, bytes: number) {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const asked = Promise.withResolvers<void>();
      vi.stubGlobal("fetch", async ({ signal }: Request) => {
        let sent = 0;
        const body = new ReadableStream({
          start: (stream) => signal.addEventListener("abort", () => stream.error(signal.reason)),
          pull: async (stream) => {
            if (sent === bytes) return await new Promise<void>(() => undefined);
            await new Promise((resolve) => void setTimeout(resolve, byteMs));
            sent += 1;
            stream.enqueue(Uint8Array.of(sent));
            if (sent === 4) stream.close();
          },
        });
        asked.resolve();
        return new Response(body, { status: 206 });
      });
      onTestFinished(() => {
        vi.useRealTimers();
        vi.unstubAllGlobals();
      });
      const reading = bytesOf(openFiles().read("f1", { start: 0, end: 4 })).then(
        (all) => [...all],
        (error: unknown) => error,
      );
      await asked.promise;
      return { reading };
    }

    it("is read to its end, however long that takes", async () => {
      const { reading } = await readSlowly(20 * SECOND_MS, 4);
      await vi.advanceTimersByTimeAsync(120 * SECOND_MS);
      expect(await reading).toEqual([1, 2, 3, 4]);
    });

    it("is abandoned when nothing arrives for half a minute", async () => {
      const { reading } = await readSlowly(SECOND_MS, 2);
      await vi.advanceTimersByTimeAsync(60 * SECOND_MS);
      expect(await reading).toBeInstanceOf(StorageUnavailableError);
    });
  });

  it("leaves the bucket's name out of the path when the endpoint's host begins with it", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async ({ method, url }: Request) => {
      asked.push(`${method} ${url}`);
      return new Response();
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    for (const endpoint of ["https://files.s3.example/", "https://filesystem.example"]) {
      await openFiles({ endpoint, prefix: "a" }).write("f1", piecesOf(Uint8Array.of(1)));
    }
    expect(asked).toEqual(["PUT https://files.s3.example/a/f1", "PUT https://filesystem.example/files/a/f1"]);
  });

  it("refuses an id that could lead elsewhere", async () => {
    await expect(openFiles().write("../f1", piecesOf(Uint8Array.of(1)))).rejects.toThrow("cannot be a file's name");
  });
});
