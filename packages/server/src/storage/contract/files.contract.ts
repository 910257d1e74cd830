import { describe, expect, it } from "vitest";
import type { Attachment } from "@nitka/protocol";
import type { Owner } from "../storage.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { bytesOf, piecesOf } from "../files/pieces.contract.ts";
import { allOf, anna, boris, storageForEach, time } from "./fixture.contract.ts";

const bytes = new Uint8Array(600_000).fill(7);

const file: Attachment = {
  id: "f1",
  type: "file",
  name: "a.bin",
  contentType: "application/octet-stream",
  size: bytes.length,
  url: "api/debug/attachments/f1",
};

export function filesContract(open: OpenStorage): void {
  describe("the files of attachments", () => {
    const storage = storageForEach(open);
    const room = (fileId: string, size: number, limit: number | null = null) => ({
      fileId,
      bytes: size,
      until: time(9),
      limit,
    });

    it("have room up to the owner's limit under concurrency, and unsent ones count", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await threads.create(anna, { threadId: "t2", updatedAt: time(0) });
      await threads.create(boris, { threadId: "b1", updatedAt: time(0) });
      await storage.keep(anna, "t1", file, bytes, time(1));
      const asked = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          attachments.reserve(anna, `t${(n % 2) + 1}`, room(`r${n}`, 100_000, 900_000)),
        ),
      );
      expect(asked.filter((one) => one === "reserved")).toHaveLength(3);
      expect(asked.filter((one) => one === "full")).toHaveLength(5);
      expect(await attachments.reserve(boris, "b1", room("b", 900_000, 900_000))).toBe("reserved");
      expect(await attachments.reserve(anna, "b1", room("x", 1))).toBe("missing");
      expect(await attachments.reserve(boris, "b1", room("b", 800_000, 900_000))).toBe("reserved");
      expect(await attachments.reserve(boris, "b1", room("c", 100_000, 900_000))).toBe("reserved");
    });

    it("release their room when they are released, and when their thread is archived", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await threads.create(anna, { threadId: "t2", updatedAt: time(0) });
      await storage.keep(anna, "t1", file, bytes, time(1));
      await attachments.reserve(anna, "t2", room("f2", 300_000, 900_000));
      expect(await attachments.reserve(anna, "t2", room("f3", 1, 900_000))).toBe("full");
      await attachments.release("f2");
      expect(await attachments.reserve(anna, "t2", room("f3", 300_000, 900_000))).toBe("reserved");
      await threads.archive(anna, "t1", time(2));
      expect(await attachments.reserve(anna, "t2", room("f4", 600_000, 900_000))).toBe("reserved");
    });

    it("have room up to the project's limit, for all owners together and under concurrency", async () => {
      const { threads, attachments } = storage.current;
      const elsewhere = { ...anna, projectId: "blog" };
      for (const [owner, threadId] of [
        [anna, "t1"],
        [boris, "b1"],
        [elsewhere, "e1"],
      ] as const) {
        await threads.create(owner, { threadId, updatedAt: time(0) });
      }
      await storage.keep(anna, "t1", file, bytes, time(1));
      const ask = (owner: Owner, threadId: string, fileId: string, size: number) =>
        attachments.reserve(owner, threadId, { ...room(fileId, size), projectLimit: 900_000 });
      const asked = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          n % 2 === 0 ? ask(anna, "t1", `r${n}`, 100_000) : ask(boris, "b1", `r${n}`, 100_000),
        ),
      );
      expect(asked.filter((one) => one === "reserved")).toHaveLength(3);
      expect(asked.filter((one) => one === "project full")).toHaveLength(5);
      expect(await ask(elsewhere, "e1", "e", 900_000)).toBe("reserved");
    });

    it("release the project's room when they are archived, purged or expired, but not when they are claimed", async () => {
      const { threads, attachments, visitors } = storage.current;
      const named = { ...anna, visitorId: "named" };
      await threads.create(named, { threadId: "n1", updatedAt: time(0) });
      const hasRoom = async (size: number) => {
        const asked = await attachments.reserve(named, "n1", { ...room("r", size), projectLimit: 1_800_000 });
        await attachments.release("r");
        return asked === "reserved";
      };
      for (const n of [1, 2, 3]) {
        await threads.create({ ...anna, visitorId: `v${n}` }, { threadId: `t${n}`, updatedAt: time(0) });
        await storage.keep({ ...anna, visitorId: `v${n}` }, `t${n}`, { ...file, id: `f${n}` }, bytes, time(n));
      }
      await visitors.claim({ ...anna, visitorId: "v1" }, "named");
      expect(await hasRoom(1)).toBe(false);
      await threads.archive(named, "t1", time(4));
      expect([await hasRoom(600_000), await hasRoom(600_001)]).toEqual([true, false]);
      await threads.restore(named, "t1", time(4));
      expect(await hasRoom(1)).toBe(false);
      await threads.archive(named, "t1", time(4));
      await allOf(attachments.expireArchived(time(5)));
      expect([await hasRoom(600_000), await hasRoom(600_001)]).toEqual([true, false]);
      await visitors.purge({ ...anna, visitorId: "v2" });
      expect([await hasRoom(1_200_000), await hasRoom(1_200_001)]).toEqual([true, false]);
      await allOf(attachments.expire(time(9)));
      expect([await hasRoom(1_800_000), await hasRoom(1_800_001)]).toEqual([true, false]);
    });

    it("become attachments only while their room has not expired", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      expect(await attachments.create(anna, "t1", file, { at: time(1) })).toBe(false);
      await attachments.reserve(anna, "t1", room("f1", bytes.length));
      await attachments.write("f1", piecesOf(bytes));
      expect(await attachments.create(anna, "t1", file, { at: time(9) })).toBe(false);
      expect(await attachments.create(anna, "t1", file, { at: time(8), messageId: "a1" })).toBe(true);
      expect(await attachments.find(anna, "f1")).toEqual({ attachment: file, threadId: "t1", messageId: "a1" });
      expect(await attachments.create(anna, "t1", file, { at: time(8) })).toBe(false);
    });

    it("keep their bytes when they are released as attachments: the confirmation that they are may have been lost", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await storage.keep(anna, "t1", file, bytes, time(1));
      await attachments.release("f1");
      expect(Buffer.compare(await bytesOf(await attachments.read(anna, "f1")), bytes)).toBe(0);
    });

    it("are swept after their room has expired, when their process died while writing them", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await attachments.reserve(anna, "t1", room("f1", bytes.length));
      await attachments.write("f1", piecesOf(bytes));
      expect(await allOf(attachments.sweep(time(8)))).toBe(0);
      expect(await allOf(attachments.sweep(time(9)))).toBe(1);
      expect(await attachments.create(anna, "t1", file, { at: time(8) })).toBe(false);
      expect(await allOf(attachments.sweep(time(9)))).toBe(0);
    });

    it("are swept when their attachments are expired, archived or purged", async () => {
      const { threads, attachments, visitors } = storage.current;
      for (const n of [1, 2, 3]) {
        await threads.create({ ...anna, projectId: `p${n}` }, { threadId: `t${n}`, updatedAt: time(0) });
        await storage.keep({ ...anna, projectId: `p${n}` }, `t${n}`, { ...file, id: `f${n}` }, bytes, time(n));
      }
      expect(await allOf(attachments.sweep(time(4)))).toBe(0);
      await threads.archive({ ...anna, projectId: "p1" }, "t1", time(4));
      expect(await allOf(attachments.sweep(time(4)))).toBe(0);
      expect(await allOf(attachments.expireArchived(time(5)))).toBe(1);
      expect(await allOf(attachments.sweep(time(4)))).toBe(1);
      await visitors.purge({ ...anna, projectId: "p2" });
      // When purge resolves, the data are gone.
      expect(await allOf(attachments.sweep(time(4)))).toBe(0);
      await allOf(attachments.expire(time(5)));
      expect(await allOf(attachments.sweep(time(4)))).toBe(1);
    });

    it("are read in ranges", async () => {
      const { threads, attachments } = storage.current;
      await threads.create(anna, { threadId: "t1", updatedAt: time(0) });
      await storage.keep(anna, "t1", file, bytes, time(1));
      expect(await bytesOf(await attachments.read(anna, "f1", { start: 599_998, end: 600_000 }))).toHaveLength(2);
    });
  });
}
