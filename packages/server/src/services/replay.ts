import type { Message, Part, StreamEvent } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { failureTexts } from "./failure-text.ts";

/**
 * A stored answer as the stream that would make it: `start`, its parts, its end. Folded, it is the answer again.
 *
 * @example replay(answer).reduce(applyEvent, beginAnswer("")).message.content // the answer's own
 */
export function replay(answer: Message): readonly StreamEvent[] {
  return [
    { type: "start", messageId: answer.id },
    ...partsOf(answer).flatMap((part, index) => eventsOf(part, String(index))),
    endOf(answer),
  ];
}

/** The event that ends a stream as the stored answer has ended. */
export function endOf({ status }: Pick<Message, "status">): StreamEvent {
  if (status?.type !== "incomplete") return { type: "finish", finishReason: "stop" };
  if (status.reason === "cancelled") return { type: "abort", reason: "cancelled" };
  return { type: "error", errorText: status.error ?? textOfReason(status.reason) };
}

function textOfReason(reason: string): string {
  return reason === "interrupted" ? failureTexts.interrupted : failureTexts.failed;
}

function eventsOf(part: Part, id: string): readonly StreamEvent[] {
  switch (part.type) {
    case "text":
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: part.text },
        { type: "text-end", id },
      ];
    case "reasoning":
      return [
        { type: "reasoning-start", id },
        { type: "reasoning-delta", id, delta: part.text },
        { type: "reasoning-end", id },
      ];
    case "image":
      return [{ type: "file", url: part.image, mediaType: typeOfDataUrl(part.image) ?? "image/*" }];
    case "file": {
      const url = "url" in part ? part.url : `data:${part.mimeType};base64,${part.data}`;
      const name = part.filename === undefined ? {} : { filename: part.filename };
      return [{ type: "file", url, mediaType: part.mimeType, ...name }];
    }
    case "audio": {
      const mediaType = `audio/${part.audio.format}`;
      return [{ type: "file", url: `data:${mediaType};base64,${part.audio.data}`, mediaType }];
    }
    case "source": {
      const title = part.title === undefined ? {} : { title: part.title };
      return part.url === ""
        ? [{ type: "source-document", sourceId: part.id, title: part.title ?? part.id, mediaType: "text/plain" }]
        : [{ type: "source-url", sourceId: part.id, url: part.url, ...title }];
    }
    case "tool-call":
      return toolEvents(part);
    default:
      return part satisfies never;
  }
}

function toolEvents(call: Extract<Part, { type: "tool-call" }>): readonly StreamEvent[] {
  const { toolCallId, toolName, argsText, args, result, isError } = call;
  const input: StreamEvent[] = [
    { type: "tool-input-start", toolCallId, toolName },
    { type: "tool-input-delta", toolCallId, inputTextDelta: argsText },
  ];
  if (args !== undefined) input.push({ type: "tool-input-available", toolCallId, toolName, input: args });
  if (result === undefined) return input;
  return isError
    ? [...input, { type: "tool-output-error", toolCallId, errorText: errorTextOf(result) }]
    : [...input, { type: "tool-output-available", toolCallId, output: result }];
}

function errorTextOf(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}

function typeOfDataUrl(url: string): string | undefined {
  return /^data:([^;,]+)/.exec(url)?.[1];
}
