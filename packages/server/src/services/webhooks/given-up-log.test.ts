import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LogFields } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import { createGivenUpLog } from "./given-up-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shop = { projectId: "shop", url: "https://crm.example/key" };
const blog = { projectId: "blog", url: "https://crm.example/other" };

function startLog() {
  const lines: LogFields[] = [];
  const log = createGivenUpLog({ error: (fields, text) => void lines.push({ text, ...fields }) });
  return { lines, log };
}

const text = "an event for a webhook was given up";
const host = "crm.example";

it("an undelivered event is logged at once, and the number of further ones at the end of the hour", () => {
  const { lines, log } = startLog();
  for (let n = 1; n <= 10_000; n += 1) log.add(shop, `HTTP ${n}`, { id: `e${n}` });
  log.add(blog, "HTTP 500", { id: "b1" });
  const first = [
    { text, projectId: "shop", host, id: "e1", reason: "HTTP 1" },
    { text, projectId: "blog", host, id: "b1", reason: "HTTP 500" },
  ];
  expect(lines).toEqual(first);
  vi.advanceTimersByTime(WEBHOOKS.sumMs);
  expect(lines).toEqual([...first, { text, projectId: "shop", host, times: 9_999, reason: "HTTP 10000" }]);
  vi.advanceTimersByTime(WEBHOOKS.sumMs);
  log.add(blog, "HTTP 500", { id: "b2" });
  expect(lines.slice(3)).toEqual([{ text, projectId: "blog", host, id: "b2", reason: "HTTP 500" }]);
});

it("pending counts are logged when the server stops", () => {
  const { lines, log } = startLog();
  for (const id of ["e1", "e2"]) log.add(shop, "HTTP 500", { id });
  log.stop();
  expect(lines.map(({ id, times }) => id ?? times)).toEqual(["e1", 1]);
  log.stop();
  expect(lines).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});
