import { describe, expect, it } from "vitest";
import { ChatError } from "../chat-error.ts";
import { createDayBytes, createRateLimiter } from "./rate-limit.ts";
import type { Allowance } from "./rate-limit.ts";

function limiterAt() {
  let now = 0;
  const limiter = createRateLimiter(() => new Date(now));
  return {
    pass: (ms: number) => {
      now += ms;
    },
    /** How many of this many requests are admitted, and when the next may come. */
    take(count: number, allowance: Partial<Allowance> = {}): readonly [number, number | undefined] {
      for (let taken = 0; taken < count; taken += 1) {
        try {
          limiter.take([{ name: "requests", of: "address", key: "a", perMinute: 6, ...allowance }]);
        } catch (error) {
          return [taken, error instanceof ChatError ? error.retryAfter : undefined];
        }
      }
      return [count, undefined];
    },
  };
}

describe("an allowance", () => {
  it("can be used up at once, refills evenly, and never exceeds one minute's worth", () => {
    const limiter = limiterAt();
    expect(limiter.take(10)).toEqual([6, 10]);
    limiter.pass(9_999);
    expect(limiter.take(1)).toEqual([0, 1]);
    limiter.pass(1);
    expect(limiter.take(2)).toEqual([1, 10]);
    limiter.pass(3_600_000);
    expect(limiter.take(10)).toEqual([6, 10]);
  });

  it("is separate for each key and each name", () => {
    const limiter = limiterAt();
    limiter.take(6);
    expect([limiter.take(7, { key: "b" }), limiter.take(7, { name: "threads" })]).toEqual([
      [6, 10],
      [6, 10],
    ]);
  });

  it("of messages allows bursts of ten, or of a third of perMinute if that is more, but never more than perMinute", () => {
    const burst = (perMinute: number) => limiterAt().take(1_000, { name: "messages", perMinute })[0];
    expect([burst(30), burst(300), burst(12), burst(3)]).toEqual([10, 100, 10, 3]);
  });

  it("is counted together with others or not at all, and can be released", () => {
    const limiter = createRateLimiter(() => new Date(0));
    const messages = { name: "messages", of: "visitor", key: "anna", perMinute: 2 } as const;
    const spent = { name: "messages", of: "address", key: "a", perMinute: 1 } as const;
    const giveBack = limiter.take([messages, spent]);
    expect(() => limiter.take([messages, spent])).toThrow("Too many messages from this address in a minute.");
    giveBack();
    limiter.take([messages, spent]);
    limiter.take([messages]);
    expect(() => limiter.take([messages])).toThrow("Too many messages in a minute.");
  });

  it("may be charged several at a time", () => {
    expect([limiterAt().take(5, { cost: 4 }), limiterAt().take(5, { cost: 4, perMinute: 2 })]).toEqual([
      [1, 20],
      [1, 60],
    ]);
  });

  it("may be 0, or unlimited", () => {
    expect([limiterAt().take(1, { perMinute: 0 }), limiterAt().take(10_000, { perMinute: null })]).toEqual([
      [0, 3600],
      [10_000, undefined],
    ]);
  });

  it("is remembered for a bounded number of callers", () => {
    const limiter = limiterAt();
    for (let n = 0; n < 60_000; n += 1) limiter.take(1, { key: String(n) });
    expect(limiter.take(6, { key: "59999" })).toEqual([5, 10]);
    expect(limiter.take(6, { key: "0" })).toEqual([6, undefined]);
  });
});

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

  it("start again at 0 at midnight UTC", () => {
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
