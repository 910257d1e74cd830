import type { StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { describe, expect, it } from "vitest";
import { GrowingAnswer } from "./growing-answer.ts";

/** Events that may follow each other in any order. */
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

/** The answers after these events and at the end, of the growing answer, and of the fold of each event. */
function grow(events: readonly StreamEvent[], isLookedAt: (index: number) => boolean) {
  const growing = new GrowingAnswer(beginAnswer("m1", "q1"));
  let each = beginAnswer("m1", "q1");
  const seen = [];
  const folded = [];
  for (const [index, event] of events.entries()) {
    growing.apply(event);
    each = applyEvent(each, event);
    if (!isLookedAt(index) && index < events.length - 1) continue;
    seen.push(growing.folded);
    folded.push(each);
  }
  return { seen, folded };
}

describe("an answer that grows", () => {
  it("equals the fold of each event, for every three events in a row", () => {
    const threes = kinds.flatMap((one) => kinds.flatMap((two) => kinds.map((three) => [one, two, three])));
    for (const events of threes) {
      const { seen, folded } = grow(events, (index) => index === 1);
      expect(seen).toEqual(folded);
    }
  });

  it("equals the fold of each event, for many deltas of one block", () => {
    const deltas = Array.from({ length: 100 }, (_, n): StreamEvent => ({
      type: "text-delta",
      id: "a",
      delta: `${n} `,
    }));
    for (const every of [1, 7, 1000]) {
      const { seen, folded } = grow(deltas, (index) => index % every === every - 1);
      expect(seen).toEqual(folded);
    }
  });

  it("accepts no delta after its end", () => {
    const delta: StreamEvent = { type: "text-delta", id: "a", delta: "1" };
    const { seen, folded } = grow([delta, { type: "finish" }, delta, delta], () => false);
    expect(seen).toEqual(folded);
  });
});
