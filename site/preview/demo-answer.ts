/** The demo model's answers as events of the chat's stream. */
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Message, StreamEvent } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { systemClock } from "@nitka/server/model-kit";
import { readConversation } from "../../packages/demo-model/src/conversation.ts";
import { createDemoLanguageModel } from "../../packages/demo-model/src/demo-language-model.ts";
import { scenarioFor } from "../../packages/demo-model/src/scenarios.ts";
import { WEATHER_TOOL, createWeatherTool } from "../../packages/demo-model/src/weather-tool.ts";

const model = createDemoLanguageModel({ clock: systemClock, speed: 1.5 });
const weather = createWeatherTool(systemClock, 500);

/** The answer to the last message of a branch. When the model calls its tool, the result goes back to the model. */
export async function* answerOf(branch: readonly Message[], signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const prompt: LanguageModelV4Prompt = branch.map((message) =>
    message.role === "user"
      ? { role: "user", content: [{ type: "text", text: textOf(message) }] }
      : { role: "assistant", content: [{ type: "text", text: textOf(message) }] },
  );
  let step: LanguageModelV4Prompt | undefined = [];
  while (step) {
    prompt.push(...step);
    step = undefined;
    const { stream } = await model.doStream({ prompt, abortSignal: signal });
    for await (const part of partsOf(stream)) {
      yield* eventsOf(part);
      if (part.type !== "tool-call") continue;
      const { toolCallId, toolName } = part;
      const input = JSON.parse(part.input);
      const output = await weather.execute?.(input, { toolCallId, messages: [], abortSignal: signal, context: {} });
      yield { type: "tool-output-available", toolCallId, output };
      const value = JSON.parse(JSON.stringify(output));
      step = [
        { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId, toolName: WEATHER_TOOL, output: { type: "json", value } }],
        },
      ];
    }
  }
}

/** A title for the thread that the question begins. */
export function titleOf(question: Message): string {
  const turns = [{ role: "user", text: textOf(question), files: [] }] as const;
  const conversation = readConversation(turns, { attempt: 0, tools: new Set() });
  return scenarioFor(conversation).title(conversation) ?? textOf(question);
}

/** Not every browser iterates over streams. */
async function* partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function* eventsOf(part: LanguageModelV4StreamPart): Generator<StreamEvent> {
  switch (part.type) {
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      yield { type: part.type, id: part.id };
      break;
    case "text-delta":
    case "reasoning-delta":
      yield { type: part.type, id: part.id, delta: part.delta };
      break;
    case "source":
      if (part.sourceType === "url") yield { type: "source-url", sourceId: part.id, url: part.url, title: part.title };
      break;
    case "file":
      if (part.data.type === "data" && typeof part.data.data === "string")
        yield { type: "file", mediaType: part.mediaType, url: `data:${part.mediaType};base64,${part.data.data}` };
      break;
    case "tool-call":
      yield {
        type: "tool-input-available",
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input: JSON.parse(part.input),
      };
      break;
    case "error":
      throw part.error;
    default:
      // The rest changes nothing that is seen.
      break;
  }
}
