import { expect, it } from "vitest";
import { pacedEvents } from "./paced-events.ts";

const delta = (text: string) => JSON.stringify({ type: "text-delta", id: "0", delta: text });
const start = '{"type":"start","messageId":"a1"}';
const finish = '{"type":"finish"}';
const waits = (...given: Parameters<typeof pacedEvents>) => pacedEvents(...given).map(({ waitMs }) => waitMs);

it("pacedEvents distributes the duration of a stream over its text: the first piece at its own time, the others by their characters", () => {
  expect(waits([start, delta("a"), delta("bc"), delta("d"), finish], { firstMs: 400, totalMs: 1_000 })).toEqual([
    0, 400, 400, 200, 0,
  ]);
});

it("pacedEvents gives a stream of unknown pace a usual pace", () => {
  expect(waits([start, delta("a"), delta("x".repeat(15)), finish])).toEqual([0, 300, 100, 0]);
});

it("pacedEvents shortens long silences, and never waits a negative time", () => {
  expect(waits([delta("a"), delta("b")], { firstMs: 60_000, totalMs: 90_000 })).toEqual([3_000, 3_000]);
  expect(waits([delta("a"), delta("b")], { firstMs: 500, totalMs: 100 })).toEqual([500, 0]);
});

it("pacedEvents does not wait in a stream without text, nor for data that is not an event", () => {
  expect(waits([start, "oops", finish], { firstMs: 400, totalMs: 1_000 })).toEqual([0, 0, 0]);
});
