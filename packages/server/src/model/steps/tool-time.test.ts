import { tool } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { calls, createScriptedFetch, says, settledBy } from "../testing/scripted-fetch.ts";

it("a tool that takes longer than toolMs has failed, its signal is aborted, and the model goes on", async () => {
  const clock = createManualClock();
  const upstream = createScriptedFetch(clock, (count) => (count === 0 ? calls("hang") : says("Never mind")));
  let aborted = 0;
  const hang = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }) =>
      new Promise<string>(() => abortSignal?.addEventListener("abort", () => (aborted += 1))),
  });
  const model = createOpenAiCompatibleModel({
    model: "m",
    baseUrl: "http://upstream/v1",
    fetch: upstream.fetch,
    tools: { hang },
    clock,
  });
  const { events, error } = await settledBy(clock, ask({ model, question: "go" }, { toolMs: 60_000 }));
  expect(error).toBeUndefined();
  expect(partsOfAnswer(events)).toMatchObject([
    { toolName: "hang", isError: true, result: "The tool did not answer within 60 seconds." },
    { type: "text", text: "Never mind" },
  ]);
  expect(aborted).toBe(1);
  expect(upstream.sent[1]?.at).toBeGreaterThanOrEqual(60_000);
  expect(upstream.sent[1]?.at).toBeLessThan(61_000);
});
