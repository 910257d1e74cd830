import { expect, it } from "vitest";
import { eventRows } from "./run-event-rows.ts";

const event = (runId: string, seq: number, data = `${seq}`) => ({ runId, seq, data });

it("makes one row of a run's events that follow each other, also between those of other runs", () => {
  expect(eventRows([event("a", 1), event("b", 4), event("a", 2), event("a", 3), event("b", 5)])).toEqual([
    ["a", 1, 3, "1\n2\n3"],
    ["b", 4, 5, "4\n5"],
  ]);
});

it("begins another row after a gap", () => {
  expect(eventRows([event("a", 1), event("a", 3), event("a", 4)])).toEqual([
    ["a", 1, 1, "1"],
    ["a", 3, 4, "3\n4"],
  ]);
});

it("writes an event in one line that every database can store", () => {
  expect(eventRows([event("a", 1, '{\n"b":\n1}'), event("a", 2, '"\ud800"')])).toEqual([
    ["a", 1, 2, '{ "b": 1}\n"\ufffd"'],
  ]);
});
