/** The forms of valid responses. Unknown fields are allowed everywhere. */
import { z } from "zod";

const time = z.iso.datetime({ offset: true, error: "must be an ISO 8601 date and time" });

export const threadForm = z.object({
  threadId: z.string().min(1),
  title: z.string().nullish(),
  updatedAt: time,
});

export const attachmentForm = z.object({
  id: z.string(),
  type: z.enum(["image", "document", "file"]),
  name: z.string(),
  contentType: z.string(),
  size: z.number(),
  url: z.string(),
});

const partForm = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["text", "reasoning"]), text: z.string() }),
  z.object({ type: z.literal("image"), image: z.string() }),
  z.object({ type: z.literal("file"), mimeType: z.string(), data: z.string().optional(), url: z.string().optional() }),
  z.object({ type: z.literal("audio"), audio: z.object({ format: z.string() }) }),
  z.object({
    type: z.literal("source"),
    sourceType: z.literal("url"),
    id: z.string(),
    url: z.string(),
    n: z.number().optional(),
    quote: z.string().optional(),
    heading: z.string().optional(),
  }),
  z.object({ type: z.literal("tool-call"), toolCallId: z.string(), toolName: z.string(), argsText: z.string() }),
  z.object({ type: z.literal("data"), name: z.string(), data: z.unknown() }),
]);

export const messageForm = z.object({
  id: z.string().min(1),
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(partForm)]),
  attachments: z.array(attachmentForm).optional(),
  parentId: z.string().nullish(),
  status: z
    .union([
      z.object({ type: z.enum(["running", "complete"]) }),
      z.object({ type: z.literal("incomplete"), reason: z.string(), error: z.string().optional() }),
    ])
    .optional(),
  feedback: z.object({ rating: z.enum(["up", "down"]), reason: z.string().optional() }).optional(),
});

export const configForm = z.object({
  apiBase: z.string().optional(),
  title: z.string().optional(),
  titleUrl: z.string().optional(),
  feedbackUrl: z.union([z.string(), z.literal(false)]).optional(),
  greeting: z.object({ title: z.string().optional(), subtitle: z.string().optional() }).optional(),
  suggestions: z.array(z.object({ title: z.string(), prompt: z.string() })).optional(),
  models: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  model: z.string().optional(),
  attachments: z
    .union([
      z.literal(false),
      z.object({
        accept: z.string().optional(),
        maxBytes: z.number().optional(),
        maxCount: z.number().optional(),
      }),
    ])
    .optional(),
  notice: z.object({ text: z.string().optional(), url: z.string().optional() }).optional(),
  consent: z.object({ text: z.string(), url: z.string().optional(), version: z.string() }).optional(),
  voice: z.object({ input: z.boolean().optional(), output: z.boolean().optional() }).optional(),
  theme: z.record(z.string(), z.string()).optional(),
  imageHosts: z.array(z.string()).optional(),
  visitor: z.object({ token: z.string().optional() }).optional(),
  features: z.record(z.string(), z.unknown()).optional(),
});

export const errorForm = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
