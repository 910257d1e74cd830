import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { blockOf, createRefusalLog } from "./refusal-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const lines: unknown[] = [];
  const log = createRefusalLog({ warn: (fields, text) => lines.push([text, fields]) });
  const add = (address: string, limit = "requestsPerMinute", requestId = "r1") =>
    log.add({ code: "rate_limited", limit, networks: [{ key: address, share: 1 }] }, { requestId });
  return { lines, add, stop: () => log.stop() };
}

const fields = { code: "rate_limited", limit: "requestsPerMinute", block: "192.0.2.0/24" };

it("the log has the first refusal of an address block by a limit at once, and how many followed after a minute", () => {
  const { lines, add } = open();
  for (let n = 1; n <= 1_000; n += 1) add("192.0.2.7", "requestsPerMinute", `r${n}`);
  add("192.0.2.8");
  add("192.0.2.8", "messagesPerMinute");
  expect(lines).toEqual([
    ["a request was refused", { requestId: "r1", ...fields }],
    ["a request was refused", { requestId: "r1", ...fields, limit: "messagesPerMinute" }],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([["requests were refused", { ...fields, times: 1_000 }]]);
  vi.advanceTimersByTime(600_000);
  add("192.0.2.7");
  expect(lines.slice(3)).toEqual([["a request was refused", { requestId: "r1", ...fields }]]);
});

it("the log stays short, however many addresses attack, and loses no refusal", () => {
  const { lines, add } = open();
  for (let n = 0; n < 30_000; n += 1) add(`10.${n % 100}.${Math.floor(n / 100)}.1`);
  for (let n = 0; n < 500; n += 1) add("10.99.99.1");
  expect(lines).toHaveLength(20);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(41);
  const sums = (lines.slice(20) as [string, { readonly times: number }][]).map(([, { times }]) => times);
  expect(20 + sums.reduce((sum, times) => sum + times, 0)).toBe(30_500);
  expect(lines.at(-1)).toEqual([
    "requests of more address blocks were refused",
    { times: 30_480 - 501 - 19, blocks: 9_960 },
  ]);
});

it("the log starts no timer for a request that is refused after the end", () => {
  const { lines, add, stop } = open();
  stop();
  add("192.0.2.7");
  expect(lines).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("pending counts are logged when the server closes", () => {
  const { lines, add, stop } = open();
  add("192.0.2.7");
  add("192.0.2.7");
  stop();
  stop();
  expect(lines.slice(1)).toEqual([["requests were refused", { ...fields, times: 1 }]]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(2);
});

it.each([
  [[{ key: "192.0.2.7", share: 1 }], "192.0.2.0/24"],
  [
    [
      { key: "2001:db8:0:0", share: 1 },
      { key: "2001:db8:0", share: 4 },
    ],
    "2001:db8:0::/48",
  ],
  [[{ key: "unknown", share: 1 }], "unknown"],
  [[], "unknown"],
])("maps %j to the block %s", (networks, block) => {
  expect(blockOf(networks)).toBe(block);
});
