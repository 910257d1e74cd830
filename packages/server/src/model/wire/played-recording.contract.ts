/** Plays a recorded response to a model, and returns what a visitor would get. */
import { tool } from "ai";
import { z } from "zod";
import { createAnthropicModel } from "../anthropic.ts";
import { createGoogleModel } from "../google.ts";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { ModelError } from "../model.ts";
import type { Model, ModelCall } from "../model.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { hastyClock } from "./played-upstream.contract.ts";
import type { PlayedResponse, PlayedUpstream } from "./played-upstream.contract.ts";
import type { Outcome, RecordedServer, Recording } from "./recordings.contract.ts";

/** How a body arrives. */
export interface Chunking {
  readonly cutsIn?: (body: string) => readonly number[];
  /** Not for a connection that breaks: with an encoding, Node's fetch drops decompressed data that was not read yet. */
  readonly encoding?: PlayedResponse["encoding"];
}

/** The outcome of a recorded response. The results of its tools are answered with the server's plain answer. */
export async function playRecording(
  upstream: PlayedUpstream,
  server: RecordedServer,
  recording: Recording,
  { cutsIn = () => [], encoding }: Chunking = {},
): Promise<Outcome> {
  const plain = server.recordings.find(({ name }) => name === "answer");
  const responses = [recording, ...(recording.expected.calls && plain ? [plain] : [])].map(
    ({ status, type, body, end }): PlayedResponse => ({
      status,
      type,
      body,
      end,
      cuts: cutsIn(body),
      encoding: end === "break" ? undefined : encoding,
    }),
  );
  const model = modelOf(server, upstream.play(...responses), recording.options);
  const calls: ModelCall[] = [];
  const { events, usage, error } = await ask({ model, question: "go" }, { onUsage: (call) => calls.push(call) });
  if (error !== undefined && !(error instanceof ModelError)) throw error;
  const parts = partsOfAnswer(events);
  const textOf = (type: "text" | "reasoning") =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  const called = parts.flatMap((part) => (part.type === "tool-call" ? [[part.toolName, part.args] as const] : []));
  const text = called.length > 0 ? textOf("text").replace(plain?.expected.text ?? "", "") : textOf("text");
  const [first] = calls;
  return {
    ...(text !== "" && { text }),
    ...(textOf("reasoning") !== "" && { reasoning: textOf("reasoning") }),
    ...(called.length > 0 && { calls: called }),
    usage: first && !first.estimated ? [first.inputTokens, first.outputTokens] : null,
    end: error instanceof ModelError ? error.code : (usage?.cutOff ?? "complete"),
  };
}

const sum = tool({
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});

function modelOf({ provider }: RecordedServer, url: string, options: object): Model {
  const common = { model: "m", apiKey: "k", tools: { sum }, clock: hastyClock, ...options };
  switch (provider) {
    case "anthropic":
      return createAnthropicModel({ ...common, baseUrl: `${url}/v1` });
    case "google":
      return createGoogleModel({ ...common, baseUrl: `${url}/v1beta` });
    case "openai-compatible":
      return createOpenAiCompatibleModel({ ...common, baseUrl: url });
    default:
      return provider satisfies never;
  }
}
