import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelCall } from "@nitka/server";
import { readEnv } from "./env.ts";
import { absentVisitor } from "@nitka/server/testing";
import { createProjects } from "./projects.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Body {
  readonly model: string;
  readonly stream?: boolean;
}

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe("a project's models", () => {
  it("use the project's settings and fallback, and leave titles to the title model", async () => {
    const { url, bodies } = await startUpstream("big");
    const fields = {
      model: "big",
      fallbackModel: "spare",
      titleModel: "small",
      maxOutputTokens: 300,
      temperature: 0.2,
      reasoningEffort: "low",
    } as const;
    const { projects } = createProjects({ shop: fields }, readEnv({ OPENAI_BASE_URL: url }), silent);
    const model = projects["shop"]?.models[0];
    const calls: ModelCall[] = [];
    const request = {
      history: [{ id: "q", role: "user", content: "go" }] as const,
      signal: new AbortController().signal,
      contextChars: null,
      readAttachment: () => Promise.reject(new Error("Nothing is attached")),
      idleMs: null,
      firstByteMs: null,
      toolMs: null,
      visitor: absentVisitor,
      onUsage: (call: ModelCall) => calls.push(call),
    };
    let said = "";
    for await (const event of model?.run(request) ?? []) if (event.type === "text-delta") said += event.delta;
    expect([model?.id, said, await model?.title(request)]).toEqual(["big", "I am spare", "I am small"]);
    const settings = { max_tokens: 300, temperature: 0.2, reasoning_effort: "low" };
    expect(bodies).toMatchObject([{ model: "big", ...settings }, { model: "spare", ...settings }, { model: "small" }]);
    expect(calls.map(({ modelId, purpose }) => [modelId, purpose])).toEqual([
      ["spare", "answer"],
      ["small", "title"],
    ]);
  });
});

/** An OpenAI-compatible server whose models say their names; one of them is out of order. */
async function startUpstream(broken: string): Promise<{ readonly url: string; readonly bodies: readonly Body[] }> {
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { model, stream } = body as Body;
      bodies.push(body as Body);
      if (model === broken) return response.writeHead(503).end("{}");
      const content = `I am ${model}`;
      const choice = stream ? { delta: { content } } : { message: { role: "assistant", content } };
      const answer = JSON.stringify({ choices: [{ ...choice, finish_reason: "stop" }] });
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      return response.end(stream ? `data: ${answer}\n\ndata: [DONE]\n\n` : answer);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  stops.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies };
}
