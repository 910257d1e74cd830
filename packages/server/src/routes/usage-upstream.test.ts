import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { eventsOf } from "../contract/server.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { threadOpener, wordsOf } from "../contract/thread.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import type { Storage } from "../storage/storage.ts";

const { openThread } = threadOpener();
const upstream = new LLMock({ port: 0, chunkSize: 4 });

beforeAll(async () => {
  await upstream.start();
});
afterEach(() => upstream.clearFixtures());
afterAll(() => upstream.stop());

const QUESTION = "Сколько стоит чай?";
const LONG = "Сто рублей. ".repeat(200);
/** The estimate for the question when the upstream reports nothing: four characters per token. */
const SENT = Math.ceil(QUESTION.length / 4);

describe("the tokens of an upstream", () => {
  it("are the upstream's counts, for the title and for the answer", async () => {
    upstream.on(
      { systemMessage: "You name conversations" },
      { content: "Чай", usage: { prompt_tokens: 90, completion_tokens: 2 } },
    );
    upstream.onMessage(QUESTION, { content: "Сто рублей", usage: { prompt_tokens: 31, completion_tokens: 7 } });
    const { client, threadId, storage } = await open();
    await eventsOf(await client.ask(threadId, { id: "q1", content: QUESTION }));
    await eventually(async () => expect(await stored(storage)).toEqual(counted(2, 0, 121, 9)));
    expect(await inMetrics(client)).toEqual([
      'purpose="answer",direction="cached"} 0',
      'purpose="answer",direction="input"} 31',
      'purpose="answer",direction="output"} 7',
      'purpose="title",direction="cached"} 0',
      'purpose="title",direction="input"} 90',
      'purpose="title",direction="output"} 2',
    ]);
  });

  it("are estimated for a cancelled answer, from what was sent and received", async () => {
    refuseTitles();
    upstream.onMessage(QUESTION, { content: LONG }, { latency: 20 });
    const { client, threadId, storage } = await open();
    const stream = await client.ask(threadId, { id: "q1", content: QUESTION });
    await eventually(async () => expect(JSON.stringify(await client.messages(threadId))).toContain("Сто рублей"));
    await client.post(`threads/${threadId}/run/cancel`, {});
    await eventsOf(stream);
    const [usage] = await stored(storage);
    expect(usage).toMatchObject({ calls: 1, estimatedCalls: 1, inputTokens: SENT });
    // The upstream had also written what was in transit at the cancel.
    expect(usage?.outputTokens).toBeGreaterThanOrEqual(await writtenTokens(client, threadId));
    expect(usage?.outputTokens).toBeLessThan(LONG.length / 4);
    expect(await inMetrics(client)).toContain(`purpose="answer",direction="output"} ${usage?.outputTokens}`);
  });

  it("are estimated for an answer that breaks off, and none are counted for a refused request", async () => {
    refuseTitles();
    upstream.onMessage(QUESTION, { content: "Сто рублей за пачку" }, { latency: 15, truncateAfterChunks: 4 });
    upstream.onMessage("Ещё?", { error: { message: "no" }, status: 400 });
    const { client, threadId, storage } = await open();
    await eventsOf(await client.ask(threadId, { id: "q1", content: QUESTION }));
    await eventsOf(await client.ask(await client.newThread(), { id: "q1", content: "Ещё?" }));
    const outputTokens = await writtenTokens(client, threadId);
    expect(outputTokens).toBeGreaterThan(0);
    expect(await stored(storage)).toEqual(counted(1, 1, SENT, outputTokens));
    expect(await inMetrics(client)).toEqual([
      'purpose="answer",direction="cached"} 0',
      `purpose="answer",direction="input"} ${SENT}`,
      `purpose="answer",direction="output"} ${outputTokens}`,
    ]);
  });
});

function open() {
  return openThread({ model: createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url }) });
}

/**
 * The title's request also contains the question, so the upstream would answer it. A refused request costs no tokens.
 */
function refuseTitles(): void {
  upstream.on({ systemMessage: "You name conversations" }, { error: { message: "no" }, status: 400 });
}

function stored({ usage }: Storage) {
  return usage.report({ by: "model", from: "0000-01-01", to: "9999-12-31" });
}

function counted(calls: number, estimatedCalls: number, inputTokens: number, outputTokens: number) {
  return [{ key: "m", calls, estimatedCalls, inputTokens, cachedInputTokens: 0, outputTokens }];
}

/** The tokens in the metrics, without the project and the model, which are the same for all. */
async function inMetrics(client: Client): Promise<readonly string[]> {
  const text = await (await client.get("/metrics")).text();
  const lines = text.matchAll(/^nitka_tokens_total\{project="default",model="m",(.*)$/gm);
  return [...lines].map(([, rest = ""]) => rest).toSorted();
}

/** The tokens of the answer's text at four characters per token. */
async function writtenTokens(client: Client, threadId: string): Promise<number> {
  const answer = (await client.messages(threadId)).at(-1);
  return Math.ceil((wordsOf(answer?.content) ?? "").length / 4);
}
