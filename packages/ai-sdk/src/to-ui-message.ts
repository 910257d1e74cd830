import type { Attachment, Message, Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import type { UIMessage } from "ai";

type ToolCallPart = Extract<Part, { readonly type: "tool-call" }>;
type UiPart = UIMessage["parts"][number];

/**
 * A message of a thread's history in the form of the AI SDK.
 *
 * @param resolve makes an absolute address from one that is relative to the API base
 */
export function toUiMessage(message: Message, resolve = (url: string) => url): UIMessage {
  const { id, role, attachments = [] } = message;
  const parts = [
    ...attachments.map((attachment) => fromAttachment(attachment, resolve)),
    ...partsOf(message).flatMap((part, index, all) => {
      const isNextStep = all[index - 1]?.type === "tool-call" && part.type !== "tool-call";
      return isNextStep ? [stepStart, fromPart(part, resolve)] : fromPart(part, resolve);
    }),
  ];
  return { id, role, parts };
}

/**
 * The content after tool results needs a step of its own: without it, a model would get this text before the results.
 */
const stepStart = { type: "step-start" } as const;

type Resolve = (url: string) => string;

function fromAttachment({ name, contentType, url }: Attachment, resolve: Resolve): UiPart {
  return { type: "file", mediaType: contentType, filename: name, url: resolve(url) };
}

function fromPart(part: Part, resolve: Resolve): UiPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "image":
      return { type: "file", mediaType: "image/*", url: resolve(part.image) };
    case "audio": {
      const { audio } = part;
      const mediaType = `audio/${audio.format}`;
      return { type: "file", mediaType, url: "url" in audio ? resolve(audio.url) : dataUrl(mediaType, audio.data) };
    }
    case "file": {
      const { mimeType: mediaType, filename } = part;
      const url = "url" in part ? resolve(part.url) : dataUrl(mediaType, part.data);
      return { type: "file", mediaType, url, ...(filename !== undefined && { filename }) };
    }
    case "source":
      return {
        type: "source-url",
        sourceId: part.id,
        url: part.url,
        ...(part.title !== undefined && { title: part.title }),
        ...(part.n !== undefined && {
          providerMetadata: { nitka: { n: part.n, quote: part.quote, heading: part.heading } },
        }),
      };
    case "data":
      return { type: `data-${part.name}`, data: part.data, ...(part.id !== undefined && { id: part.id }) };
    default:
      return fromToolCall(part);
  }
}

function fromToolCall({ toolCallId, toolName, args: input, result, isError, approval }: ToolCallPart): UiPart {
  const call = { type: `tool-${toolName}`, toolCallId, input } as const;
  if (approval === "denied") return { ...call, state: "output-denied", approval: { id: toolCallId, approved: false } };
  if (result === undefined) return { ...call, state: "input-available" };
  if (!isError) return { ...call, state: "output-available", output: result };
  return { ...call, state: "output-error", errorText: typeof result === "string" ? result : JSON.stringify(result) };
}

function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}
