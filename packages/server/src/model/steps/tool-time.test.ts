import { tool } from "ai";
import { expect, it } from "vitest";
import { z } from "zod";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { calls, createScriptedService, says, settledBy } from "../testing/scripted-fetch.ts";

it("a tool that takes longer than toolMs fails, its signal is aborted, and the model continues", async () => {
  let aborted = 0;
  const hang = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }) =>
      new Promise<string>(() => abortSignal?.addEventListener("abort", () => (aborted += 1))),
  });
  const { clock, model, sent } = createScriptedService([calls("hang"), says("Never mind")], { tools: { hang } });
  const { events, error } = await settledBy(clock, ask({ model, question: "go" }, { toolMs: 60_000 }));
  expect(error).toBeUndefined();
  expect(partsOfAnswer(events)).toMatchObject([
    { toolName: "hang", isError: true, result: "The tool did not answer within 60 seconds." },
    { type: "text", text: "Never mind" },
  ]);
  expect(aborted).toBe(1);
  expect(sent[1]?.at).toBeGreaterThanOrEqual(60_000);
  expect(sent[1]?.at).toBeLessThan(61_000);
});
