/** The events of a run's stream in the wire format, for the OpenAPI document. `serializeEvent` writes them. */
import type { StreamEventType } from "@nitka/protocol";
import { z } from "zod";

const text = z.string();
const optional = text.optional();
const block = { id: optional };
const delta = { id: optional, delta: text };
const call = { toolCallId: text };
const namedCall = { toolCallId: text, toolName: text };
const title = { title: text };
/** Any JSON value. A tool may have no arguments or result. */
const value = z.unknown().optional();
const activity = { text: optional };

/** An event whose fields are next to `type`. */
const flat = (fields: z.ZodRawShape) => (type: string) => z.object({ type: z.literal(type), ...fields });

/** An event whose fields are under `data`. */
const nested = (fields: z.ZodRawShape) => (type: string) => z.object({ type: z.literal(type), data: z.object(fields) });

/** An event that is not part of the answer: clients do not store it. */
const transient = (fields: z.ZodRawShape) => (type: string) =>
  z.object({ type: z.literal(type), data: z.object(fields), transient: z.literal(true) });

const forms = {
  start: flat({ messageId: optional }),
  "text-start": flat(block),
  "text-delta": flat(delta),
  "text-end": flat(block),
  "reasoning-start": flat(block),
  "reasoning-delta": flat(delta),
  "reasoning-end": flat(block),
  "tool-input-start": flat(namedCall),
  "tool-input-delta": flat({ ...call, inputTextDelta: text }),
  "tool-input-available": flat({ ...namedCall, input: value }),
  "tool-input-error": flat({ ...namedCall, input: value, errorText: text }),
  "tool-output-available": flat({ ...call, output: value }),
  "tool-output-error": flat({ ...call, errorText: text }),
  "tool-approval-request": flat({ ...call, approvalId: text }),
  "tool-output-denied": flat(call),
  "source-url": flat({
    sourceId: text,
    url: text,
    title: optional,
    providerMetadata: z
      .object({ nitka: z.object({ n: z.number(), quote: optional, heading: optional }).optional() })
      .optional(),
  }),
  "source-document": flat({ sourceId: text, title: text, mediaType: optional }),
  file: flat({ url: text, mediaType: text, filename: optional }),
  "data-thinking": transient(activity),
  "data-progress": transient(activity),
  "data-tool-request": nested({ ...namedCall, input: value }),
  "data-tool-approved": transient(call),
  "data-suggestions": nested({ suggestions: z.array(z.object({ title: text, prompt: text })) }),
  "data-title": transient(title),
  "data-thread-title": transient(title),
  "thread-rename": flat(title),
  "start-step": flat({}),
  "finish-step": flat({}),
  "message-metadata": flat({}),
  "data-error": transient({ code: text }),
  "data-ping": transient({}),
  error: flat({ errorText: text }),
  abort: flat({ reason: optional }),
  finish: flat({ finishReason: optional }),
} satisfies Readonly<Record<Exclude<StreamEventType, "data"> | "data-ping", (type: string) => z.ZodType>>;

const named = Object.entries(forms).map(([type, form]) => form(type));
const ownNames = Object.keys(forms).flatMap((type) => /^data-(.+)/.exec(type)?.[1] ?? []);

/** Content of the host's own kind, under a name that no other event has. */
const hostContent = z.object({
  type: text.regex(new RegExp(`^data-(?!(${ownNames.join("|")})$).+$`)),
  id: optional,
  data: z.unknown(),
});

export const streamEvent = z.xor([...named, hostContent]).meta({
  id: "StreamEvent",
  description: "the JSON of one `data:` line; the stream ends with `data: [DONE]`, which is none",
});
