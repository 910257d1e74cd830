import { describe, expect, it } from "vitest";
import { createDayBytes } from "./gate.ts";

describe("the bytes of a day", () => {
  it("are counted for all of an address's networks, or for none", () => {
    const days = createDayBytes(() => new Date("2026-11-21T12:00:00Z"));
    const [net, site] = [
      { key: "net", perDay: 10 },
      { key: "site", perDay: 15 },
    ];
    expect([
      days.add([net, site], 10),
      days.add([net, site], 1),
      days.add([{ key: "net2", perDay: 10 }, site], 6),
      days.add([{ key: "net2", perDay: 10 }, site], 5),
    ]).toEqual([true, false, false, true]);
  });

  it("start again from 0 at midnight UTC", () => {
    let now = new Date("2026-11-21T23:59:59Z");
    const days = createDayBytes(() => now);
    const allowance = { key: "net", perDay: 10 };
    expect([days.add([allowance], 10), days.add([allowance], 1)]).toEqual([true, false]);
    now = new Date("2026-11-22T00:00:00Z");
    expect(days.add([allowance], 10)).toBe(true);
  });

  it("are remembered for active addresses, however many others there are", () => {
    const days = createDayBytes(() => new Date("2026-11-21T12:00:00Z"));
    const allowance = { key: "net", perDay: 10 };
    days.add([allowance], 10);
    for (let n = 0; n < 25_000; n += 1) days.add([{ key: `other${n}`, perDay: 10 }], 1);
    expect(days.add([allowance], 1)).toBe(false);
  });
});
