/** A route of the AI SDK as its own documents show it, without any knowledge of Nitka. */
import { convertToModelMessages, isStepCount, streamText, tool } from "ai";
import type { UIMessage } from "ai";
import { z } from "zod";

export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { readonly messages: UIMessage[] };
  const result = streamText({
    model: "openai/gpt-5-mini",
    messages: await convertToModelMessages(messages),
    tools: {
      weather: tool({
        description: "The weather in a city",
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => ({ city, degrees: 18 }),
      }),
    },
    stopWhen: isStepCount(5),
    abortSignal: request.signal,
  });
  return result.toUIMessageStreamResponse();
}
