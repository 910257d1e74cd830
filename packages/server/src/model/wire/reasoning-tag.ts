import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { TagSplitter, reallyOf } from "./tag-splitter.ts";
import type { ReasoningTag } from "./tag-splitter.ts";

/**
 * The language model with its reasoning taken out of its text. The AI SDK's `extractReasoningMiddleware` does not know a closing
 * tag without an opening one, and takes a text that should begin inside the tag for reasoning even if it never ends.
 */
export function withReasoningTag(model: LanguageModelV4, tag: ReasoningTag): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const result = await model.doGenerate(options);
      return { ...result, content: splitContent(result.content, tag) };
    },
    async doStream(options) {
      const result = await model.doStream(options);
      return { ...result, stream: splitStream(result.stream.getReader(), new TagSplitter(tag)) };
    },
  };
}

function splitStream(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
  splitter: TagSplitter,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        for (let sent = 0; sent === 0;) {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          const parts = splitter.split(value);
          for (const part of parts) controller.enqueue(part);
          sent = parts.length;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function splitContent(content: readonly LanguageModelV4Content[], tag: ReasoningTag): LanguageModelV4Content[] {
  const isSplit = content.some(({ type }) => type === "reasoning");
  return content.flatMap((part): LanguageModelV4Content[] => {
    if (part.type !== "text") return [part];
    const splitter = new TagSplitter({ ...tag, first: tag.first && !isSplit });
    const parts = [
      ...splitter.split({ type: "text-delta", id: "", delta: part.text }),
      ...splitter.split({ type: "text-end", id: "" }),
    ];
    const blocks = new Map<string, { type: "text" | "reasoning"; text: string }>();
    for (const each of parts) {
      if (each.type === "text-start" || each.type === "reasoning-start") {
        blocks.set(each.id, { type: each.type === "text-start" ? "text" : "reasoning", text: "" });
      }
      const block = "id" in each ? blocks.get(each.id) : undefined;
      if (block && "delta" in each) block.text += each.delta;
      if (block) block.type = reallyOf(each) ?? block.type;
    }
    return [...blocks.values()];
  });
}
