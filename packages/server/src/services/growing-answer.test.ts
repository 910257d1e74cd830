import type { StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { describe, expect, it } from "vitest";
import { GrowingAnswer } from "./growing-answer.ts";

/** Events of which any may follow any other. */
const kinds: readonly StreamEvent[] = [
  { type: "text-start", id: "a" },
  { type: "text-delta", id: "a", delta: "1" },
  { type: "text-delta", id: "a", delta: "2" },
  { type: "text-delta", id: "a", delta: "" },
  { type: "text-delta", id: "b", delta: "3" },
  { type: "reasoning-delta", id: "a", delta: "4" },
  { type: "reasoning-delta", delta: "5" },
  { type: "text-delta", delta: "6" },
  { type: "text-end", id: "a" },
  { type: "tool-input-available", toolCallId: "c", toolName: "search", input: {} },
  { type: "data-title", title: "Тема" },
];

/** The answers after each event, as `read` tells which of them are looked at. */
function grow(events: readonly StreamEvent[], read: (index: number) => boolean) {
  const growing = new GrowingAnswer(beginAnswer("m1", "q1"));
  let folded = beginAnswer("m1", "q1");
  for (const [index, event] of events.entries()) {
    growing.apply(event);
    folded = applyEvent(folded, event);
    if (read(index)) expect(growing.folded).toEqual(folded);
  }
  expect(growing.folded).toEqual(folded);
}

describe("an answer that grows", () => {
  it("is what the fold of each event makes, for every three events in a row", () => {
    for (const one of kinds)
      for (const two of kinds) for (const three of kinds) grow([one, two, three], (index) => index === 1);
  });

  it("is what the fold of each event makes, for many deltas of one block", () => {
    const deltas = Array.from({ length: 100 }, (_, n): StreamEvent => ({
      type: "text-delta",
      id: "a",
      delta: `${n} `,
    }));
    for (const every of [1, 7, 1000]) grow(deltas, (index) => index % every === every - 1);
  });

  it("takes no delta after its end", () => {
    const delta: StreamEvent = { type: "text-delta", id: "a", delta: "1" };
    grow([delta, { type: "finish" }, delta, delta], () => false);
  });
});
