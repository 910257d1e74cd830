import { describe, expect, it } from "vitest";
import type { CallDecision, ExportedApproval, NewAwaitedCall } from "../awaited-calls.ts";
import type { RunSignal, Storage } from "../storage.ts";
import type { OpenStorage } from "./fixture.contract.ts";
import { anna, storageForEach, time } from "./fixture.contract.ts";

const key = { runId: "run1", toolCallId: "c1" };
const asked: NewAwaitedCall = { ...key, toolName: "buy", kind: "page", askedAt: time(2) };
const byAnna = { visitorId: "anna", at: time(3) };

export function awaitedCallsContract(open: OpenStorage): void {
  describe("tool calls that wait for the visitor", () => {
    const storage = storageForEach(open);

    /** A running run with this call. */
    async function add(call: NewAwaitedCall = asked): Promise<Storage["awaitedCalls"]> {
      await storage.beginIn("t1", 1);
      await storage.current.awaitedCalls.add(call);
      return storage.current.awaitedCalls;
    }

    it("are found as they were stored, also when they were stored twice", async () => {
      const calls = await add();
      await calls.add({ ...asked, askedAt: time(9) });
      expect(await calls.find(key)).toEqual(asked);
      expect(await calls.find({ ...key, toolCallId: "c2" })).toBeUndefined();
      expect(await calls.answered("run1")).toEqual([]);
    });

    it.each<CallDecision>([
      { type: "approved" },
      { type: "denied" },
      { type: "denied", reason: "Передумал" },
      { type: "output", output: { count: 1, tags: [null, "a"] } },
      { type: "output", output: null },
      { type: "failed", errorText: "" },
      { type: "expired" },
      { type: "cancelled" },
    ])("are decided once: %j", async (decision) => {
      const calls = await add();
      expect(await calls.decide(key, decision, byAnna)).toBe(true);
      expect(await calls.decide(key, { type: "denied" }, { at: time(4) })).toBe(false);
      expect(await calls.claim(key, "page")).toBe(false);
      expect(await calls.allow(key, byAnna)).toBe(false);
      const stored = { ...asked, decided: { decision, ...byAnna } };
      expect(await calls.find(key)).toEqual(stored);
      expect(await calls.answered("run1")).toEqual([stored]);
    });

    it("accept exactly one of three concurrent decisions, a hundred times", async () => {
      const calls = await add();
      const decisions: readonly CallDecision[] = [
        { type: "output", output: 1 },
        { type: "expired" },
        { type: "cancelled" },
      ];
      for (let round = 0; round < 100; round += 1) {
        const one = { runId: "run1", toolCallId: `round${round}` };
        await calls.add({ ...asked, ...one });
        const won = await Promise.all(decisions.map((decision) => calls.decide(one, decision, { at: time(3) })));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect((await calls.find(one))?.decided?.decision).toEqual(decisions[won.indexOf(true)]);
      }
    });

    it("are claimed by one page, which may claim them again", async () => {
      const calls = await add();
      const claims = await Promise.all(["a", "b", "c", "d"].map((page) => calls.claim(key, page)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const winner = ["a", "b", "c", "d"][claims.indexOf(true)] ?? "";
      expect(await calls.find(key)).toEqual({ ...asked, claimedBy: winner });
      expect(await calls.claim(key, winner)).toBe(true);
      expect(await calls.claim(key, "e")).toBe(false);
      expect(await calls.decide(key, { type: "output", output: 1 }, byAnna)).toBe(true);
    });

    it("may be allowed before they are answered; the first permission counts", async () => {
      const calls = await add();
      expect(await calls.allow(key, byAnna)).toBe(true);
      expect(await calls.allow(key, { visitorId: "anna", at: time(7) })).toBe(true);
      expect(await calls.answered("run1")).toEqual([{ ...asked, allowed: byAnna }]);
    });

    it("notify the instance of their run, and again with each heartbeat", async () => {
      const calls = await add();
      const told: RunSignal[] = [];
      storage.current.signals.subscribe((signal) => told.push(signal));
      await storage.current.runs.heartbeat("here");
      expect(told).toEqual([]);
      await calls.decide(key, { type: "approved" }, byAnna);
      await storage.current.runs.heartbeat("here");
      expect(told).toEqual([
        { type: "answered", runId: "run1" },
        { type: "answered", runId: "run1" },
      ]);
    });

    it("lose their output on request, and nothing else", async () => {
      const calls = await add();
      await calls.add({ ...asked, toolCallId: "c2", kind: "approval" });
      await calls.decide(key, { type: "output", output: "secret" }, byAnna);
      await calls.decide({ ...key, toolCallId: "c2" }, { type: "denied", reason: "нет" }, byAnna);
      await calls.dropOutput(key);
      await calls.dropOutput({ ...key, toolCallId: "c2" });
      expect((await calls.find(key))?.decided?.decision).toEqual({ type: "output", output: null });
      expect((await calls.find({ ...key, toolCallId: "c2" }))?.decided?.decision).toEqual({
        type: "denied",
        reason: "нет",
      });
    });

    it("clean text that no database can store", async () => {
      const odd = { runId: "run1", toolCallId: "c\u0000\uD800" };
      const calls = await add({ ...asked, ...odd, toolName: "buy\u0000" });
      await calls.decide(odd, { type: "output", output: { "a\u0000": "\uDC00\u0000b" } }, byAnna);
      expect(await calls.find(odd)).toMatchObject({
        toolName: "buy",
        decided: { decision: { type: "output", output: { a: "\uFFFDb" } } },
      });
    });

    it("are deleted with their thread", async () => {
      const calls = await add();
      await storage.current.visitors.purge(anna);
      expect(await calls.find(key)).toBeUndefined();
      await expect(calls.add({ ...asked, toolCallId: "c2" })).rejects.toThrow(/foreign key/i);
      expect(await calls.decide(key, { type: "approved" }, byAnna)).toBe(false);
    });

    it("are exported with who has decided and when, if the visitor was asked", async () => {
      const calls = await add();
      const decide = async (toolCallId: string, kind: NewAwaitedCall["kind"], decision?: CallDecision) => {
        await calls.add({ ...asked, toolCallId, kind });
        const by = decision?.type === "expired" ? { at: time(3) } : byAnna;
        if (decision) await calls.decide({ runId: "run1", toolCallId }, decision, by);
      };
      await calls.allow(key, byAnna);
      await calls.decide(key, { type: "output", output: 1 }, { visitorId: "anna", at: time(5) });
      await decide("c2", "page", { type: "output", output: 1 });
      await decide("c3", "page", { type: "denied" });
      await decide("c4", "approval", { type: "approved" });
      await decide("c5", "approval", { type: "denied", reason: "Передумал" });
      await decide("c6", "approval", { type: "expired" });
      await decide("c7", "approval");
      const exported: ExportedApproval[] = [];
      for await (const { approvals } of storage.current.visitors.export(anna)) {
        for await (const approval of approvals) exported.push(approval);
      }
      const call = (toolCallId: string) => ({ messageId: "a1", toolCallId, toolName: "buy", askedAt: time(2) });
      const anna3 = { by: "anna", at: time(3) };
      expect(exported).toEqual([
        { ...call("c1"), decision: "approved", ...anna3 },
        { ...call("c3"), decision: "denied", ...anna3 },
        { ...call("c4"), decision: "approved", ...anna3 },
        { ...call("c5"), decision: "denied", reason: "Передумал", ...anna3 },
        { ...call("c6"), decision: "expired", at: time(3) },
        { ...call("c7"), decision: "none" },
      ]);
    });
  });
}
