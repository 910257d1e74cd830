import { expect, it } from "vitest";
import { randomId } from "./random-id.ts";

it("an id has 8 base-36 characters", () => {
  for (let i = 0; i < 1000; i += 1) expect(randomId()).toMatch(/^[0-9a-z]{8}$/);
});

it("follows its prefix", () => {
  expect(randomId("msg_")).toMatch(/^msg_[0-9a-z]{8}$/);
});

it("an id uses all digits equally often", () => {
  const counts = new Map<string, number>();
  const ids = 20_000;
  for (let i = 0; i < ids; i += 1) for (const digit of randomId()) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const expected = (ids * 8) / 36;
  expect(counts.size).toBe(36);
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.1);
});

it("an id is not repeated", () => {
  const ids = Array.from({ length: 10_000 }, () => randomId());
  expect(new Set(ids).size).toBe(ids.length);
});
