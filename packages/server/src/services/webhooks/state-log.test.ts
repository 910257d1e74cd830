import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LogFields } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import { createStateLog } from "./state-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const named = { projectId: "shop", host: "crm.example" };

function startLog() {
  const lines: unknown[] = [];
  const line = (level: string) => (fields: LogFields, text: string) => void lines.push([level, text, fields]);
  return { lines, log: createStateLog({ info: line("info"), warn: line("warn") }, named) };
}

const failing = (reason: string) => ["warn", "a webhook fails: its events are retried", { ...named, reason }];
const answering = ["info", "a webhook works again", named];
const flipping = (times: number, isFailing: boolean, reason: string) => [
  "warn",
  "a webhook failed and recovered repeatedly",
  { ...named, times, isFailing, reason },
];

it("a receiver that goes away and comes back is two lines, however many calls fail in between", () => {
  const { lines, log } = startLog();
  log.note(undefined);
  for (let n = 1; n <= 100; n += 1) log.note(`HTTP ${n}`);
  log.note(undefined);
  log.note(undefined);
  expect(lines).toEqual([failing("HTTP 1"), answering]);
  vi.advanceTimersByTime(WEBHOOKS.sumMs);
  expect(lines).toHaveLength(2);
});

it("one that fails at every second call is some lines, and one at the end of each hour", () => {
  const { lines, log } = startLog();
  for (let n = 1; n <= 1_000; n += 1) log.note(n % 2 === 0 ? undefined : `HTTP ${n}`);
  log.note("HTTP 500");
  const first = [1, 3, 5, 7, 9].flatMap((n) => [failing(`HTTP ${n}`), answering]);
  expect(lines).toEqual(first);
  vi.advanceTimersByTime(WEBHOOKS.sumMs);
  expect(lines.slice(first.length)).toEqual([flipping(1_001 - first.length, true, "HTTP 500")]);
  vi.advanceTimersByTime(WEBHOOKS.sumMs);
  // It is still away: nothing has changed.
  log.note("HTTP 500");
  log.note(undefined);
  expect(lines.slice(first.length + 1)).toEqual([answering]);
});

it("what was counted is logged when the server stops, and nothing is left to come", () => {
  const { lines, log } = startLog();
  for (let n = 0; n <= WEBHOOKS.stateLines; n += 1) log.note(n % 2 === 0 ? "HTTP 502" : undefined);
  log.stop();
  expect(lines.slice(WEBHOOKS.stateLines)).toEqual([flipping(1, true, "HTTP 502")]);
  log.note(undefined);
  expect(vi.getTimerCount()).toBe(0);
});
