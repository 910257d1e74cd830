/** The kinds of files that a model reads, and the sentences that replace the other files. */
import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from "@ai-sdk/provider";

/** A kind of files that a model reads as bytes. */
export type ModelInput = "image" | "pdf" | "audio";

/** The image types that all providers accept. They refuse a whole request because of an image of another type. */
const MODEL_IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The kind of a file; `undefined` when no model reads it. */
export function inputOf(mediaType: string): ModelInput | undefined {
  if (MODEL_IMAGES.has(mediaType)) return "image";
  if (mediaType === "application/pdf") return "pdf";
  return mediaType.startsWith("audio/") ? "audio" : undefined;
}

/** The sentence that replaces a file that was left out. */
export const LEFT_OUT = "The file was left out: the model cannot read it.";

/** A file as text. Models know such tags from their training. */
export function attachmentText(
  file: { readonly name: string; readonly mediaType: string },
  text: string,
): LanguageModelV4TextPart {
  const { name, mediaType } = file;
  return {
    type: "text",
    text: `<attachment name="${attribute(name)}" type="${attribute(mediaType)}">\n${text}\n</attachment>`,
  };
}

function attribute(value: string): string {
  return value.replaceAll(/["<>\r\n]/g, "_");
}

/** Whether a message contains bytes of files. */
export function hasFiles({ content }: LanguageModelV4Message): boolean {
  if (typeof content === "string") return false;
  return content.some(
    (part) =>
      part.type === "file" ||
      part.type === "reasoning-file" ||
      (part.type === "tool-result" &&
        part.output.type === "content" &&
        part.output.value.some(({ type }) => type === "file")),
  );
}

/** A message with each file replaced by a sentence. */
export function withoutFiles(message: LanguageModelV4Message): LanguageModelV4Message {
  if (!hasFiles(message)) return message;
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.map(asText) };
    case "assistant":
      return {
        ...message,
        content: message.content.flatMap((part) => (part.type === "reasoning-file" ? [] : [asText(part)])),
      };
    case "tool":
      return {
        ...message,
        content: message.content.map((part): (typeof message.content)[number] => {
          if (part.type !== "tool-result" || part.output.type !== "content") return part;
          return { ...part, output: { ...part.output, value: part.output.value.map(asText) } };
        }),
      };
    default:
      return message;
  }
}

function asText<T extends { readonly type: string }>(part: T): Exclude<T, { type: "file" }> | LanguageModelV4TextPart {
  if (!isFile(part)) return part as Exclude<T, { type: "file" }>;
  return attachmentText({ name: part.filename ?? "file", mediaType: part.mediaType }, LEFT_OUT);
}

function isFile(part: { readonly type: string }): part is LanguageModelV4FilePart {
  return part.type === "file";
}
