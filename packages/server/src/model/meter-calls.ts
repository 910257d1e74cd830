import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { CallMeter } from "./call-meter.ts";
import type { MeterOptions } from "./call-meter.ts";

/** The same model, each of its calls reported when it is over. */
export function meterCalls(model: LanguageModelV4, options: MeterOptions): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ doGenerate, params }) => {
        const meter = new CallMeter(params, options);
        try {
          const result = await doGenerate();
          meter.told(result.usage);
          meter.received(result.content.reduce((sum, part) => sum + charsOf(part), 0));
          meter.close();
          return result;
        } finally {
          meter.cancel();
        }
      },
      wrapStream: async ({ doStream, params }) => {
        const meter = new CallMeter(params, options);
        try {
          const result = await doStream();
          return { ...result, stream: result.stream.pipeThrough(watching(meter)) };
        } catch (error) {
          meter.cancel();
          throw error;
        }
      },
    },
  });
}

function watching(meter: CallMeter): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  // Named, since the types do not know that a transformer is told of a reader that leaves.
  const transformer = {
    transform: (
      part: LanguageModelV4StreamPart,
      controller: TransformStreamDefaultController<LanguageModelV4StreamPart>,
    ) => {
      if ("delta" in part) meter.received(part.delta.length);
      if (part.type === "finish") meter.told(part.usage);
      controller.enqueue(part);
    },
    flush: meter.close,
    cancel: meter.close,
  };
  return new TransformStream(transformer);
}

function charsOf(part: LanguageModelV4Content): number {
  if ("text" in part) return part.text.length;
  return part.type === "tool-call" ? part.input.length : 0;
}
