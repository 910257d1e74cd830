import { describe, expect, it } from "vitest";
import { sleep } from "./clock.ts";
import { withFallback } from "./fallback-model.ts";
import { ask, modelContract, textOfAnswer } from "./model.contract.ts";
import { ModelError } from "./model.ts";
import type { Model, ModelCall, ModelErrorCode } from "./model.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";
import { createManualClock } from "./testing/manual-clock.ts";
import { createScriptedFetch, refuses, says, settledBy } from "./testing/scripted-fetch.ts";
import { createScriptedModel, saying } from "./testing/scripted-model.ts";
import type { ScriptLine } from "./testing/scripted-model.ts";

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
  keepsSilent: async () => {
    const silent = createScriptedModel({ script: [{ silence: true }] });
    return { model: withFallback(silent, silent), question: "go" };
  },
});

describe("withFallback", () => {
  it.each<[ModelErrorCode, number | undefined, boolean]>([
    ["upstream_unavailable", 503, true],
    ["upstream_limited", 429, true],
    ["upstream_refused", 401, true],
    ["upstream_refused", 403, true],
    ["upstream_refused", 404, true],
    ["upstream_refused", 400, false],
    ["context_too_long", 413, false],
    ["silent", undefined, true],
    ["empty", undefined, true],
    ["failed", undefined, true],
  ])("after %s with the status %s asks the other model: %s", async (code, status, isAsked) => {
    const error = new ModelError(code, "No.", { status });
    const calls: ModelCall[] = [];
    const told: unknown[] = [];
    const model = withFallback(createScriptedModel({ script: [{ event: { type: "start-step" } }, { error }] }), spare);
    const ran = await ask(
      { model, question: "go" },
      { onUsage: (call) => calls.push(call), onFallback: (...args) => told.push(args) },
    );
    expect([textOfAnswer(ran.events), ran.error]).toEqual(isAsked ? ["From the spare", undefined] : ["", error]);
    expect(calls.map(({ modelId }) => modelId)).toEqual(isAsked ? ["spare"] : []);
    expect(told).toEqual(isAsked ? [[error, "spare"]] : []);
    expect(ran.events.filter(({ type }) => type === "start-step")).toEqual([]);
  });

  it.each<[string, readonly ScriptLine[]]>([
    ["nothing", []],
    ["blocks without a letter", saying("")],
    ["an error that is no ModelError", [{ error: new TypeError("undefined is not a function") as ModelError }]],
  ])("asks the other model after %s", async (_, script) => {
    const model = withFallback(createScriptedModel({ script }), spare);
    const ran = await ask({ model, question: "go" });
    expect([textOfAnswer(ran.events), ran.error]).toEqual(["From the spare", undefined]);
    expect(ran.events.filter(({ type }) => type === "text-start")).toHaveLength(1);
  });

  it("asks the fallback when no part of an answer arrives within firstByteMs, and leaves the first model", async () => {
    const clock = createManualClock();
    let left = 0;
    const slow = createScriptedModel({ script: [{ silence: true }] });
    const watched: Model = {
      ...slow,
      run: (request) => {
        request.signal.addEventListener("abort", () => (left += 1));
        return slow.run(request);
      },
    };
    const told: unknown[] = [];
    const model = withFallback(watched, spare, { clock });
    const asked = { firstByteMs: 20_000, onFallback: ({ code }: ModelError) => told.push([code, clock.now()]) };
    const ran = await settledBy(clock, ask({ model, question: "go" }, asked));
    expect([textOfAnswer(ran.events), ran.error, left]).toEqual(["From the spare", undefined, 1]);
    expect(told).toEqual([["silent", 20_000]]);
  });

  it("counts firstByteMs from the first request, including its retries, and ends nothing after the first part", async () => {
    const clock = createManualClock();
    const busy = { ...refuses(503), afterMs: 9_000 };
    const late = { chunks: [{ waitMs: 1_000 }, ...(says("Late, but whole").chunks ?? [])] };
    const upstream = createScriptedFetch(clock, (count) => (count < 2 ? busy : late));
    const opensSlowly = {
      openTools: async (signal: AbortSignal) => {
        await sleep(clock, 4_000, signal);
        return { tools: {} };
      },
    };
    const at = (firstByteMs: number) => {
      const options = { model: "m", baseUrl: "http://upstream/v1", fetch: upstream.fetch, clock, ...opensSlowly };
      const model = withFallback(createOpenAiCompatibleModel(options), spare, { clock });
      return settledBy(clock, ask({ model, question: "go" }, { firstByteMs }));
    };
    // The waits are 9 s, 0.5 s, 9 s, 2 s and 1 s.
    expect(textOfAnswer((await at(22_000)).events)).toBe("Late, but whole");
    upstream.sent.splice(0);
    expect(textOfAnswer((await at(21_000)).events)).toBe("From the spare");
  });

  it("asks no fallback after a cancel", async () => {
    const clock = createManualClock();
    const upstream = createScriptedFetch(clock, () => refuses(503));
    const stop = new AbortController();
    const model = withFallback(
      createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream/v1", fetch: upstream.fetch, clock }),
      spare,
      { clock },
    );
    const run = ask({ model, question: "go" }, { signal: stop.signal });
    await clock.advance(100);
    stop.abort();
    expect(await run).toMatchObject({ events: [], usage: {} });
    await clock.advance(10_000);
    expect(upstream.sent).toHaveLength(1);
  });

  it("does not replace a model that has written a word", async () => {
    const error = new ModelError("upstream_unavailable", "Gone.");
    const model = withFallback(createScriptedModel({ script: [...saying("Half"), { error }] }), spare);
    const ran = await ask({ model, question: "go" });
    expect([textOfAnswer(ran.events), ran.error]).toEqual(["Half", error]);
  });

  it("uses the fallback for titles too", async () => {
    const gone = {
      ...createScriptedModel({ script: [] }),
      title: () => Promise.reject(new ModelError("upstream_limited", "No.")),
    };
    const request = { history: [], signal: new AbortController().signal };
    expect(await withFallback(gone, spare).title(request)).toBe("Spare title");
  });
});
