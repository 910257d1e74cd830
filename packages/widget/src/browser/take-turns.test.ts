// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest";
import { takeTurns } from "./take-turns.ts";

const { signal } = new AbortController();

/** A call that is in progress until the test ends it. */
async function callUnderWay(name: string) {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const call = takeTurns(name, signal)(true, () => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  return { call, end: held.resolve };
}

const scriptedAct = () => vi.fn<(isAlone: boolean) => Promise<void>>(() => Promise.resolve());

afterEach(() => void vi.unstubAllGlobals());

describe("a turn", () => {
  it("is waited for until the call before has ended, and not for one with another name", async () => {
    const before = await callUnderWay("a");
    const act = scriptedAct();
    const waiting = takeTurns("a", signal)(true, act);
    await takeTurns("b", signal)(true, scriptedAct());
    expect(act).not.toHaveBeenCalled();
    before.end();
    await waiting;
    expect(act.mock.calls).toEqual([[true]]);
  });

  it("without `waits` is taken if it is free, and otherwise the call is not alone", async () => {
    const act = scriptedAct();
    await takeTurns("c", signal)(false, act);
    const before = await callUnderWay("c");
    await takeTurns("c", signal)(false, act);
    before.end();
    await before.call;
    expect(act.mock.calls).toEqual([[true], [false]]);
  });

  it("is not taken once its widget has ended", async () => {
    const life = new AbortController();
    const before = await callUnderWay("d");
    const act = scriptedAct();
    const waiting = takeTurns("d", life.signal)(true, act);
    life.abort();
    await waiting;
    before.end();
    await before.call;
    expect(act).not.toHaveBeenCalled();
  });

  it("whose call fails is over, and the call is not repeated", async () => {
    const act = scriptedAct().mockRejectedValueOnce(new Error("broken"));
    await expect(takeTurns("e", signal)(true, act)).rejects.toThrow("broken");
    expect(act).toHaveBeenCalledOnce();
  });

  it.each([
    ["lacks locks", undefined],
    ["may not use them", { request: () => Promise.reject(new DOMException("An opaque origin.", "SecurityError")) }],
  ])("begins at once where the page %s", async (_, locks) => {
    vi.stubGlobal("navigator", { locks });
    const act = scriptedAct();
    await takeTurns("f", signal)(true, act);
    expect(act.mock.calls).toEqual([[true]]);
  });
});
