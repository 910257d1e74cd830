// @vitest-environment node
import { beginAnswer } from "@nitka/protocol/apply-event";
import { expect, it } from "vitest";
import { createAnswerWriter } from "./answer-writer.ts";

it("an answer writer applies backpressure until what it has is written", async () => {
  let draw: (time: number) => void = () => {};
  let hidden = false;
  const writer = createAnswerWriter({
    answer: beginAnswer("a"),
    schedule: (callback) => (draw = callback),
    isHidden: () => hidden,
    shownLength: 0,
    onWrite: () => {},
    onSideEvent: () => {},
  });
  const push = () => writer.push({ type: "text-delta", id: "1", delta: "я" });
  const taken = Array.from({ length: 1000 }, push);
  expect(taken.indexOf(false)).toBe(999);
  const drained = writer.drained();
  draw(0);
  await drained;
  expect(push()).toBe(true);
  // A page that nobody sees draws too seldom to wait for it: the server would take its reader for a slow one.
  hidden = true;
  expect(Array.from({ length: 2000 }, push)).not.toContain(false);
  hidden = false;
  expect(writer.answer().message.content).toEqual([{ type: "text", text: "я".repeat(1000) }]);
});
