import { describe, expect, it } from "vitest";
import { withFallback } from "./fallback-model.ts";
import { ask, modelContract, textOfAnswer } from "./model.contract.ts";
import { ModelError } from "./model.ts";
import type { ModelCall, ModelErrorCode } from "./model.ts";
import { createScriptedModel, saying } from "./testing/scripted-model.ts";

const spare = createScriptedModel({
  id: "spare",
  script: saying("From", " the spare"),
  title: "Spare title",
  usage: { inputTokens: 3, outputTokens: 2 },
});

modelContract("A model with a fallback", {
  says: async () => ({ model: withFallback(createScriptedModel({ script: saying("a", "b") }), spare), question: "go" }),
  goesOn: async () => {
    const script = Array.from({ length: 200 }, (_, n) => ({
      at: n * 10,
      event: { type: "text-delta", id: "t1", delta: "on " } as const,
    }));
    const opened = [{ event: { type: "text-start", id: "t1" } as const }, ...script];
    return { model: withFallback(createScriptedModel({ script: opened }), spare), question: "go" };
  },
  callsTool: async () => {
    const call = { toolCallId: "c1", toolName: "sum" };
    const script = [
      { event: { type: "tool-input-start", ...call } as const },
      { event: { type: "tool-input-available", ...call, input: {} } as const },
      { event: { type: "tool-output-available", toolCallId: "c1", output: 3 } as const },
      ...saying("Three"),
    ];
    return { model: withFallback(createScriptedModel({ script }), spare), question: "go" };
  },
  fails: async () => {
    const failing = (code: ModelErrorCode) => createScriptedModel({ script: [{ error: new ModelError(code, "No.") }] });
    const model = withFallback(failing("upstream_unavailable"), failing("upstream_limited"));
    return { model, question: "go", code: "upstream_limited" };
  },
  keepsSilent: async () => ({
    model: withFallback(createScriptedModel({ script: [{ silence: true }] }), spare),
    question: "go",
  }),
});

describe("withFallback", () => {
  it.each<[ModelErrorCode, boolean]>([
    ["upstream_unavailable", true],
    ["upstream_limited", true],
    ["upstream_refused", false],
    ["context_too_long", false],
    ["silent", false],
    ["empty", false],
    ["failed", false],
  ])("after %s asks the other model: %s", async (code, isAsked) => {
    const error = new ModelError(code, "No.");
    const calls: ModelCall[] = [];
    const model = withFallback(createScriptedModel({ script: [{ event: { type: "start-step" } }, { error }] }), spare);
    const ran = await ask({ model, question: "go" }, { onUsage: (call) => calls.push(call) });
    expect([textOfAnswer(ran.events), ran.error]).toEqual(isAsked ? ["From the spare", undefined] : ["", error]);
    expect(calls.map(({ modelId }) => modelId)).toEqual(isAsked ? ["spare"] : []);
    expect(ran.events.filter(({ type }) => type === "start-step")).toEqual([]);
  });

  it("does not replace a model that has said a word", async () => {
    const error = new ModelError("upstream_unavailable", "Gone.");
    const model = withFallback(createScriptedModel({ script: [...saying("Half"), { error }] }), spare);
    const ran = await ask({ model, question: "go" });
    expect([textOfAnswer(ran.events), ran.error]).toEqual(["Half", error]);
  });

  it("has the other model name a thread as well", async () => {
    const gone = {
      ...createScriptedModel({ script: [] }),
      title: () => Promise.reject(new ModelError("upstream_limited", "No.")),
    };
    const request = { history: [], signal: new AbortController().signal };
    expect(await withFallback(gone, spare).title(request)).toBe("Spare title");
  });
});
