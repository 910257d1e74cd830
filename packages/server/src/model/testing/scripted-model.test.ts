import { describe, expect, it } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { ask, modelContract } from "../model.contract.ts";
import { ModelError } from "../model.ts";
import { createScriptedModel, saying } from "./scripted-model.ts";
import type { ScriptLine } from "./scripted-model.ts";

const call: readonly ScriptLine[] = [
  { event: { type: "tool-input-available", toolCallId: "c1", toolName: "sum", input: { a: 1 } } },
  { event: { type: "tool-output-available", toolCallId: "c1", output: 2 } },
];

modelContract("A scripted model", {
  says: async () => staged(saying("При", "вет")),
  callsTool: async () => staged([...call, ...saying("Два", ".")]),
  goesOn: async () => staged([...saying("Раз"), { at: 60_000, event: { type: "text-start", id: "t2" } }]),
  fails: async () => ({
    ...staged([...saying("Ой"), { error: new ModelError("upstream_unavailable", "Связь прервалась.") }]),
    code: "upstream_unavailable",
  }),
  keepsSilent: async () => staged([{ silence: true }]),
});

describe("createScriptedModel", () => {
  it("plays its lines at their due times, even after a slow read", async () => {
    const clock = createManualClock();
    const model = createScriptedModel({
      clock,
      script: [100, 200, 300].map((at) => ({ at, event: { type: "text-delta", id: "t1", delta: String(at) } })),
    });
    const seen: number[] = [];
    const run = ask({ model, question: "?" }, {}, () => seen.push(clock.now()));
    await clock.advance(100);
    await clock.advance(250);
    await run;
    expect(seen).toEqual([100, 200, 300]);
  });

  it("returns the usage and the title of its options", async () => {
    const model = createScriptedModel({
      script: saying("ok"),
      usage: { inputTokens: 3, outputTokens: 1 },
      title: (history) => `Про ${history.length}`,
    });
    expect((await ask({ model, question: "?" })).usage).toEqual({ inputTokens: 3, outputTokens: 1 });
    expect(await model.title({ history: [], signal: new AbortController().signal })).toBe("Про 0");
  });

  it("makes a script for each request", async () => {
    const model = createScriptedModel({ script: ({ history }) => saying(`вопросов: ${history.length}`) });
    const { events } = await ask({ model, question: "?" });
    expect(events[1]).toEqual({ type: "text-delta", id: "t1", delta: "вопросов: 1" });
  });
});

function staged(script: readonly ScriptLine[]) {
  return { model: createScriptedModel({ script }), question: "?" };
}
