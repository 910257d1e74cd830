import { describe, expect, it, onTestFinished } from "vitest";
import { allOf, anna, boris, keep, named } from "./contract/fixture.contract.ts";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import type { FileStore } from "./files/file-store.ts";
import { piecesOf } from "./files/pieces.contract.ts";
import { openPostgresStorage } from "./postgres.ts";
import { openSqliteStorage } from "./sqlite.ts";
import { StorageUnavailableError } from "./storage.ts";
import type { Owner, Storage } from "./storage.ts";

const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 12, n)).toISOString();

/** A store that only records names. `deleting` runs for each deletion and may fail or hang. */
function scriptedStore(deleting: (fileId: string) => Promise<void> = () => Promise.resolve()) {
  const held = new Set<string>();
  const store: FileStore = {
    name: "s3",
    heldBytes: 1,
    write: async (fileId, pieces) => {
      for await (const _ of pieces) held.add(fileId);
    },
    read: () => piecesOf(new Uint8Array()),
    delete: async (fileId) => {
      await deleting(fileId);
      held.delete(fileId);
    },
  };
  return { store, held };
}

async function openSqlite(files: FileStore): Promise<Storage> {
  const storage = await openSqliteStorage({ path: ":memory:", files });
  onTestFinished(() => storage.close());
  return storage;
}

/** Stores files in a thread of the owner, or each in a thread of its own. */
async function give(storage: Storage, owner: Owner, threadId: string, fileIds: readonly string[]): Promise<void> {
  await storage.threads.create(owner, { threadId, updatedAt: minute(0) });
  for (const id of fileIds) {
    const file = { id, type: "file", name: id, contentType: "a/b", size: 1, url: "" } as const;
    expect(await keep(storage, owner, threadId, file, Uint8Array.of(1), minute(0))).toBe(true);
  }
}

const many = Array.from({ length: 250 }, (_, n) => `f${n}`);

describe("a sweep", () => {
  it("deletes due files, a few at a time, and ends when none is left", async () => {
    let at = 0;
    let most = 0;
    const { store, held } = scriptedStore(async () => {
      at += 1;
      most = Math.max(most, at);
      await new Promise((resolve) => void setImmediate(resolve));
      at -= 1;
    });
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", many);
    await storage.threads.archive(anna, "t1", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    const parts: number[] = [];
    for await (const part of storage.attachments.sweep(minute(1))) parts.push(part);
    expect([parts, most, held.size]).toEqual([[100, 100, 50], 8, 0]);
    expect(await allOf(storage.attachments.sweep(minute(100)))).toBe(0);
  });

  it("deletes the files after one that the store refuses, and retries that one ten minutes later", async () => {
    let refuses = true;
    let tries = 0;
    const { store, held } = scriptedStore(async (fileId) => {
      if (fileId === "f1") tries += 1;
      if (fileId === "f1" && refuses) throw new Error("AccessDenied");
    });
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", many);
    await storage.threads.archive(anna, "t1", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    await expect(allOf(storage.attachments.sweep(minute(1)))).rejects.toThrow("1 files could not be deleted");
    expect([...held]).toEqual(["f1"]);
    refuses = false;
    expect(await allOf(storage.attachments.sweep(minute(10)))).toBe(0);
    expect(await allOf(storage.attachments.sweep(minute(11)))).toBe(1);
    expect([tries, held.size]).toEqual([2, 0]);
  });

  it("leaves the rest for later when the store deletes nothing at all", async () => {
    let tries = 0;
    const { store, held } = scriptedStore(async () => {
      tries += 1;
      throw new Error("away");
    });
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", many);
    await storage.threads.archive(anna, "t1", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    await expect(allOf(storage.attachments.sweep(minute(1)))).rejects.toThrow("100 files could not be deleted");
    expect([tries, held.size]).toEqual([100, 250]);
  });

  it("loses no file when its process dies in the middle", async () => {
    let hangs = true;
    const { store, held } = scriptedStore((fileId) =>
      hangs && fileId === "f7" ? new Promise<void>(() => undefined) : Promise.resolve(),
    );
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", many.slice(0, 60));
    await storage.threads.archive(anna, "t1", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    const dying = storage.attachments.sweep(minute(1))[Symbol.asyncIterator]();
    void dying.next();
    await expect.poll(() => held.size).toBe(1);
    hangs = false;
    // The files belong to the dead process for ten minutes. Then another one deletes them, some for the second time.
    expect(await allOf(storage.attachments.sweep(minute(2)))).toBe(0);
    expect(await allOf(storage.attachments.sweep(minute(11)))).toBe(60);
    expect(held.size).toBe(0);
  });

  it("lets no file become an attachment that it has claimed", async () => {
    const { store } = scriptedStore(() => Promise.reject(new Error("away")));
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", []);
    const room = { fileId: "f1", bytes: 1, until: minute(1), limit: 10 };
    const file = { id: "f1", type: "file", name: "a", contentType: "a/b", size: 1, url: "" } as const;
    await storage.attachments.reserve(anna, "t1", room);
    await storage.attachments.write("f1", piecesOf(Uint8Array.of(1)));
    await expect(allOf(storage.attachments.sweep(minute(1)))).rejects.toThrow("1 files");
    expect(await storage.attachments.create(anna, "t1", file, { at: minute(2) })).toBe(false);
    expect(await storage.attachments.reserve(anna, "t1", { ...room, until: minute(9) })).toBe("missing");
    expect(await storage.attachments.create(anna, "t1", file, { at: minute(2) })).toBe(false);
    expect(await storage.attachments.reserve(anna, "t1", { ...room, fileId: "f2", bytes: 10 })).toBe("reserved");
  });
});

describe("erasing a visitor", () => {
  it("deletes the visitor's files, and neither waits for others' nor fails because of one", async () => {
    const asked: string[] = [];
    const { store, held } = scriptedStore(async (fileId) => {
      asked.push(fileId);
      if (fileId === "theirs") throw new Error("AccessDenied");
    });
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", ["mine", "unsent"]);
    await give(storage, anna, "t2", ["archived"]);
    await give(storage, boris, "t3", ["theirs"]);
    await storage.threads.archive(anna, "t2", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    await storage.threads.archive(boris, "t3", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    expect(await storage.visitors.purge(anna)).toBe(2);
    expect([asked.toSorted(), [...held]]).toEqual([["archived", "mine", "unsent"], ["theirs"]]);
  });

  it("fails while a file of the visitor cannot be deleted, and can be retried", async () => {
    let refuses = true;
    const { store, held } = scriptedStore(async (fileId) => {
      if (refuses && fileId === "f2") throw new Error("away");
    });
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", ["f1", "f2", "f3"]);
    await expect(storage.visitors.purge(anna)).rejects.toThrow(StorageUnavailableError);
    expect([await storage.threads.count(anna), [...held]]).toEqual([0, ["f2"]]);
    await expect(storage.visitors.purge(anna)).rejects.toThrow(StorageUnavailableError);
    refuses = false;
    expect(await storage.visitors.purge(anna)).toBe(0);
    expect(held.size).toBe(0);
  });

  it("deletes files that were claimed from an anonymous visitor, and those that a sweep has claimed", async () => {
    let hangs = true;
    const { store, held } = scriptedStore(() => (hangs ? new Promise<void>(() => undefined) : Promise.resolve()));
    const storage = await openSqlite(store);
    await give(storage, anna, "t1", ["sent"]);
    await give(storage, anna, "t2", ["swept"]);
    await storage.threads.archive(anna, "t2", minute(1));
    await allOf(storage.attachments.expireArchived(minute(2)));
    void storage.attachments.sweep(minute(1))[Symbol.asyncIterator]().next();
    await storage.visitors.claim(anna, named.visitorId);
    hangs = false;
    expect(await storage.visitors.purge(named)).toBe(2);
    expect(held.size).toBe(0);
  });
});

describe("on Postgres", () => {
  const postgres = postgresForFile();

  it("two instances share the due files, and neither deletes one of the other's", async () => {
    const deleted: string[] = [];
    // Each instance deletes eight files at a time: with the ninth both are working.
    const both = Promise.withResolvers<void>();
    const { store, held } = scriptedStore((fileId) => {
      deleted.push(fileId);
      if (deleted.length > 8) both.resolve();
      return both.promise;
    });
    const url = await postgres.current.createDatabase();
    const open = (instanceId: string) => openPostgresStorage({ url, instanceId, connections: 4, files: store });
    const [here, there] = [await open("here"), await open("there")];
    await give(here, anna, "t1", many);
    await here.threads.archive(anna, "t1", minute(1));
    await allOf(here.attachments.expireArchived(minute(2)));
    const counts = await Promise.all([here, there].map(({ attachments }) => allOf(attachments.sweep(minute(1)))));
    expect([counts.reduce((sum, count) => sum + count, 0), held.size]).toEqual([250, 0]);
    expect(deleted.toSorted()).toEqual(many.toSorted());
    await here.close();
    await there.close();
  });
});
