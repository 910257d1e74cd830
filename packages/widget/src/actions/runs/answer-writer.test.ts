// @vitest-environment node
import { textOf } from "@nitka/protocol/message";
import { expect, it } from "vitest";
import { createAnswerWriter } from "./answer-writer.ts";

it("an answer writer applies backpressure until what it has is written", async () => {
  let draw: (time: number) => void = () => {};
  let hidden = false;
  let shown = "";
  const writer = createAnswerWriter({
    answer: { id: "a", parentId: "q" },
    schedule: (callback) => (draw = callback),
    isHidden: () => hidden,
    shownLength: 0,
    onWrite: ({ message }) => (shown = textOf(message)),
    onSideEvent: () => {},
  });
  const push = () => writer.push({ type: "text-delta", id: "1", delta: "я" });
  const taken = Array.from({ length: 1000 }, push);
  expect(taken.indexOf(false)).toBe(999);
  const drained = writer.drained();
  draw(0);
  await drained;
  expect(push()).toBe(true);
  // A hidden page draws too rarely to wait for it: the server would take it for a slow reader.
  hidden = true;
  expect(Array.from({ length: 2000 }, push)).not.toContain(false);
  hidden = false;
  expect(shown).toBe("я".repeat(1000));
});

it("writes less often where a frame takes long: at most a fifth of the time is text's", () => {
  let draw: (time: number, lastFrameMs: number) => void = () => {};
  const written: number[] = [];
  let now = 0;
  const writer = createAnswerWriter({
    answer: { id: "a", parentId: "q" },
    schedule: (callback) => (draw = callback),
    isHidden: () => false,
    shownLength: 0,
    onWrite: () => written.push(now),
    onSideEvent: () => {},
  });
  const writesIn = (lastFrameMs: number) => {
    written.length = 0;
    for (const end = now + 400; now < end; now += 16) {
      writer.push({ type: "text-delta", id: "1", delta: "я" });
      draw(now, lastFrameMs);
    }
    return written.map((time) => time - (written[0] ?? 0)).slice(0, 4);
  };
  expect(writesIn(3)).toEqual([0, 32, 64, 96]);
  expect(writesIn(11)).toEqual([0, 64, 128, 192]);
  // One very long frame does not delay the text.
  expect(writesIn(500)).toEqual([0, 80, 160, 240]);
});
