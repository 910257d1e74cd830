/** The types of the protocol as zod schemas. They validate requests, and the OpenAPI document is made from them. */
import type { PartType } from "@nitka/protocol";
import { MAX_REASON_CHARS } from "@nitka/protocol/feedback-request";
import { TOOL_NAME } from "@nitka/protocol/page-tool";
import { z } from "zod";

/** Clients make the ids of their messages. Only visible ASCII is allowed, so that an id is readable in a log. */
export const messageId = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters")
  .describe("such as 8 base-36 characters with an optional prefix; unique in its thread");

const time = z.string().describe("ISO 8601, UTC");

export const thread = z
  .object({ threadId: z.string(), title: z.string().optional(), updatedAt: time })
  .meta({ id: "Thread" });

/** A thread in a list or in search results. */
export const foundThread = thread
  .extend({
    match: z
      .string()
      .optional()
      .describe("only in search results: an excerpt of a message around the found words, as plain text"),
  })
  .meta({ id: "FoundThread" });

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const fileUrl = z.string().describe("relative to the api base, as the server lists it; a data URL in a question");
const imagePart = z.object({ type: z.literal("image"), image: fileUrl });
const filePart = z.object({
  type: z.literal("file"),
  mimeType: z.string().min(1).max(200),
  filename: z.string().max(255).optional(),
});
const fileParts = [
  filePart.extend({ data: z.string().describe("base64") }),
  filePart.extend({ url: fileUrl }),
] as const;
const soundFormat = z.string().regex(/^[\w.+-]{1,64}$/);
const audioPart = z.object({
  type: z.literal("audio"),
  audio: z.union([
    z.object({ data: z.string().describe("base64"), format: soundFormat }),
    z.object({ url: fileUrl, format: soundFormat }),
  ]),
});

/** A part of a question. */
const askedPart = z.union([textPart, imagePart, ...fileParts, audioPart]);

/** Every type of part, by its name. A question or an answer in a list may contain any of them. */
const parts = {
  text: textPart,
  reasoning: z.object({ type: z.literal("reasoning"), text: z.string() }),
  image: imagePart,
  file: z.union(fileParts),
  audio: audioPart,
  source: z.object({
    type: z.literal("source"),
    sourceType: z.literal("url"),
    id: z.string(),
    url: z.string(),
    title: z.string().optional(),
    n: z.number().optional().describe("the text cites it as [n]"),
    quote: z.string().optional().describe("the sentence that the answer rests on"),
    heading: z.string().optional().describe("the heading above that sentence"),
  }),
  "tool-call": z.object({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    toolName: z.string(),
    argsText: z.string(),
    args: z.unknown().optional(),
    result: z.unknown().optional(),
    isError: z.boolean().optional(),
    approval: z.enum(["requested", "approved", "denied"]).optional(),
  }),
  data: z.object({ type: z.literal("data"), name: z.string(), id: z.string().optional(), data: z.unknown() }),
} satisfies Readonly<Record<PartType, z.ZodType>>;

const part = z.union(Object.values(parts)).meta({ id: "Part" });

const suggestion = z.object({ title: z.string(), prompt: z.string() });

const feedback = z.object({ rating: z.enum(["up", "down"]), reason: z.string().optional() });

/** A visitor's feedback on an answer. */
export const feedbackRequest = z.object({
  rating: z.enum(["up", "down"], { error: 'must be "up", "down" or null' }).nullable().describe("null removes it"),
  reason: z.string().max(MAX_REASON_CHARS, `has at most ${MAX_REASON_CHARS} characters`).optional(),
});

export const attachment = z
  .object({
    id: z.string(),
    type: z.enum(["image", "document", "file"]),
    name: z.string(),
    contentType: z.string(),
    size: z.number().describe("bytes"),
    url: z.string().describe("relative to the api base, or a data URL"),
  })
  .meta({ id: "Attachment" });

export const message = z
  .object({
    id: messageId,
    role: z.enum(["user", "assistant", "system"]),
    content: z.union([z.string(), z.array(part)]),
    attachments: z.array(attachment).optional(),
    parentId: messageId.nullable().optional(),
    createdAt: time.optional(),
    status: z
      .union([
        z.object({ type: z.literal("running") }),
        z.object({ type: z.literal("complete") }),
        z.object({
          type: z.literal("incomplete"),
          reason: z.string().describe("error, cancelled, interrupted, length or content-filter"),
          error: z.string().optional().describe("a sentence for people"),
          code: z.string().optional().describe("the kind of the error, for programs"),
        }),
      ])
      .optional(),
    suggestions: z.array(suggestion).optional(),
    feedback: feedback.optional(),
  })
  .meta({ id: "Message" });

/** A question as a visitor sends it. */
export const userMessage = z
  .object({
    id: messageId,
    role: z.literal("user"),
    content: z.union([z.string(), z.array(askedPart)], {
      error: "must be a text, or a list of parts of the types text, image, file and audio",
    }),
    attachments: z
      .array(
        z.object({
          id: z.string().min(1).max(128),
          url: z.string().describe("the url that the upload returned, or a data URL"),
          name: z.string().max(255).optional(),
          contentType: z.string().max(200).optional(),
        }),
      )
      .optional(),
    parentId: messageId
      .nullable()
      .optional()
      .describe("the previous message; by default the last one of the shown branch"),
  })
  .meta({ id: "UserMessage" });

/** A tool of the page, as a question declares it. */
export const pageTool = z
  .object({
    name: z.string().regex(TOOL_NAME, "must be 1 to 64 of the characters A-Z a-z 0-9 _ -"),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()).describe("a JSON Schema of the arguments, an object"),
  })
  .meta({ id: "PageTool" });

export const problem = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).meta({ id: "Problem" });

export const config = z
  .object({
    apiBase: z.string().optional(),
    title: z.string().optional(),
    titleUrl: z.string().optional(),
    feedbackUrl: z.union([z.string(), z.literal(false)]).optional(),
    greeting: z.object({ title: z.string().optional(), subtitle: z.string().optional() }).optional(),
    suggestions: z.array(suggestion).optional(),
    models: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
    model: z.string().optional(),
    attachments: z
      .union([
        z.literal(false),
        z.object({ accept: z.string().optional(), maxBytes: z.number().optional(), maxCount: z.number().optional() }),
      ])
      .optional(),
    notice: z.object({ text: z.string().optional(), url: z.string().optional() }).optional(),
    consent: z.object({ text: z.string(), url: z.string().optional(), version: z.string() }).optional(),
    voice: z.object({ input: z.boolean().optional(), output: z.boolean().optional() }).optional(),
    pageUrl: z.string().optional(),
    theme: z.record(z.string(), z.string()).optional(),
    imageHosts: z.array(z.string()).optional(),
    visitor: z.object({ token: z.string().optional(), named: z.string().optional() }).optional(),
    features: z
      .object({
        resume: z.boolean().optional(),
        cancel: z.boolean().optional(),
        upload: z.boolean().optional(),
        branch: z.boolean().optional(),
        erase: z.boolean().optional(),
        claim: z.boolean().optional(),
        pageContext: z.boolean().optional(),
        clientTools: z.boolean().optional(),
        approvals: z.boolean().optional(),
        feedback: z.boolean().optional(),
        consent: z.boolean().optional(),
        restore: z.boolean().optional(),
        search: z.boolean().optional(),
        export: z.boolean().optional(),
      })
      .optional(),
  })
  .meta({ id: "ServerConfig" });

/** The body of a request that needs none: an object whose fields are ignored. */
export const nothing = z.object({}).meta({ id: "Nothing" });
