import type { Part, PartType, StreamEvent } from "@nitka/protocol";
import { dataUrlOf, parseDataUrl } from "@nitka/protocol/data-url";

/** The part type with this `type`. */
type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

type EventsOf<T extends PartType> = (part: PartOf<T>, id: string) => readonly StreamEvent[];

/** The events that write a part, by its type. A new type needs an entry here. */
const eventsOf: { readonly [T in PartType]: EventsOf<T> } = {
  text: ({ text }, id) => [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
  ],

  reasoning: ({ text }, id) => [
    { type: "reasoning-start", id },
    { type: "reasoning-delta", id, delta: text },
    { type: "reasoning-end", id },
  ],

  "tool-call": ({ toolCallId, toolName, argsText, args, result, isError, approval }) => {
    const input: StreamEvent[] = [
      { type: "tool-input-start", toolCallId, toolName },
      { type: "tool-input-delta", toolCallId, inputTextDelta: argsText },
    ];
    if (args !== undefined) input.push({ type: "tool-input-available", toolCallId, toolName, input: args });
    if (approval !== undefined) input.push({ type: "tool-approval-request", toolCallId, approvalId: toolCallId });
    if (approval === "approved") input.push({ type: "data-tool-approved", toolCallId });
    if (approval === "denied") input.push({ type: "tool-output-denied", toolCallId });
    if (result === undefined) return input;
    return isError
      ? [...input, { type: "tool-output-error", toolCallId, errorText: resultText(result) }]
      : [...input, { type: "tool-output-available", toolCallId, output: result }];
  },

  image: ({ image: url }) => {
    const type = parseDataUrl(url)?.mimeType;
    return [{ type: "file", url, mediaType: type?.startsWith("image/") ? type : "image/*" }];
  },

  file: (part) => {
    const url = "url" in part ? part.url : dataUrlOf(part.mimeType, part.data);
    const name = part.filename === undefined ? {} : { filename: part.filename };
    return [{ type: "file", url, mediaType: part.mimeType, ...name }];
  },

  audio: ({ audio: sound }) => {
    const mediaType = `audio/${sound.format}`;
    return [{ type: "file", url: "data" in sound ? dataUrlOf(mediaType, sound.data) : sound.url, mediaType }];
  },

  source: ({ id, url, title, n, quote, heading }) => {
    if (url === "") {
      return [{ type: "source-document", sourceId: id, title: title ?? id, mediaType: "text/plain" }];
    }
    const cited = n === undefined ? {} : { providerMetadata: { nitka: { n, quote, heading } } };
    return [{ type: "source-url", sourceId: id, url, ...(title === undefined ? {} : { title }), ...cited }];
  },

  data: ({ name, id, data }) => [{ type: "data", name, id, data }],
};

/**
 * The events that write this part. Folding them gives the part again.
 *
 * @param id an id for events that open and close a block, unique in the answer
 */
export function partEvents(part: Part, id: string): readonly StreamEvent[] {
  // The part's type selects the entry, so the entry accepts the part.
  return (eventsOf[part.type] as EventsOf<PartType>)(part, id);
}

function resultText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}
