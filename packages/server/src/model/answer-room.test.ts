import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { ask } from "./model.contract.ts";
import { createScriptedService, says, settledBy } from "./testing/scripted-fetch.ts";

const turns = Array.from({ length: 300 }, (_, n): readonly Message[] => [
  { id: `q${n}`, role: "user", content: "q".repeat(200) },
  { id: `a${n}`, role: "assistant", content: [{ type: "text", text: "a".repeat(200) }] },
]).flat();
const history: readonly Message[] = [...turns, { id: "q", role: "user", content: "go" }];

async function sentTokens(options: { readonly contextTokens: number; readonly maxOutputTokens?: number }) {
  const { clock, model, sent } = createScriptedService([says("ok")], options);
  const { error } = await settledBy(clock, ask({ model, question: "" }, { history }));
  const chars = sent[0]?.body.messages.reduce((sum, { content }) => sum + String(content).length, 0);
  return { error, tokens: chars === undefined ? undefined : chars / 4 };
}

describe("A request to a model with contextTokens leaves room for its answer", () => {
  it.each([
    ["what maxOutputTokens says", { contextTokens: 8_000, maxOutputTokens: 6_000 }, 2_000],
    ["a quarter of the window", { contextTokens: 8_000 }, 6_000],
    ["4,096 tokens of a large window", { contextTokens: 32_000 }, 27_904],
  ])("of %s", async (_, options, room) => {
    const { tokens = 0 } = await sentTokens(options);
    expect(tokens).toBeLessThanOrEqual(room);
    expect(tokens).toBeGreaterThan(room / 2);
  });

  it("which may be so large that no question fits", async () => {
    const { error, tokens } = await sentTokens({ contextTokens: 1_000, maxOutputTokens: 1_000 });
    expect([error, tokens]).toEqual([expect.objectContaining({ code: "context_too_long" }), undefined]);
  });
});
