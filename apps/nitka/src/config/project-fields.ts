/** The fields of a project. */
import { approveEntry } from "@nitka/server";
import type { Limits } from "@nitka/server";
import { z } from "zod";
import { headers, isHttpUrl, link, text } from "./field-forms.ts";
import { knowledge } from "./knowledge-fields.ts";
import { model, price } from "./model-fields.ts";
import { webhooks } from "./webhook-fields.ts";

const count = z.union([z.number().int().positive(), z.null()]);
const days = z.union([z.number().int().min(0).max(36_500), z.null()]);

const mcpServer = z.strictObject({
  type: z.literal("http"),
  url: z
    .string()
    .refine(isHttpUrl, "an http or https URL without a user and a password (write an authorization header)"),
  headers,
  identify: z.boolean().exactOptional(),
  secret: z.string().min(16).exactOptional(),
});

/** RFC 7519, section 4.1: these claims identify the token's owner and its validity; they are not the host's data. */
const registeredClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

// The type check fails when a limit of the server is missing here.
const limits = {
  messagesPerMinute: count.exactOptional(),
  threadsPerMinute: count.exactOptional(),
  uploadsPerMinute: count.exactOptional(),
  requestsPerMinute: count.exactOptional(),
  runsAtOnce: count.exactOptional(),
  addressRunsAtOnce: count.exactOptional(),
  addressMessagesPerMinute: count.exactOptional(),
  projectRunsAtOnce: count.exactOptional(),
  storageBytes: count.exactOptional(),
  projectStorageBytes: count.exactOptional(),
  addressStorageBytesPerDay: count.exactOptional(),
  threads: count.exactOptional(),
  messageChars: count.exactOptional(),
  upstreamIdleMs: count.exactOptional(),
  firstByteMs: count.exactOptional(),
  toolMs: count.exactOptional(),
  toolWaitMs: count.exactOptional(),
  contextChars: count.exactOptional(),
  tokensPerDay: count.exactOptional(),
  projectTokensPerDay: count.exactOptional(),
} satisfies Record<keyof Limits, unknown>;

const project = z.strictObject({
  title: text.exactOptional(),
  titleUrl: link.exactOptional(),
  pageUrl: link.exactOptional(),
  feedbackUrl: z.union([link, z.literal(false)]).exactOptional(),
  greeting: z.strictObject({ title: text.exactOptional(), subtitle: text.exactOptional() }).exactOptional(),
  suggestions: z.array(z.strictObject({ title: text, prompt: text })).exactOptional(),
  models: z.array(model).min(1).exactOptional(),
  model: text.exactOptional(),
  titleModel: text.exactOptional(),
  fallbackModel: text.exactOptional(),
  toolViews: z.record(text, z.enum(["all", "args", "name", "hidden"])).exactOptional(),
  followUps: z.boolean().exactOptional(),
  maxSteps: z.number().int().positive().exactOptional(),
  maxOutputTokens: z.number().int().positive().exactOptional(),
  temperature: z.number().min(0).max(2).exactOptional(),
  reasoningEffort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).exactOptional(),
  attachments: z
    .union([
      z.literal(false),
      z.strictObject({
        accept: z.string().exactOptional(),
        maxBytes: z.number().int().positive().exactOptional(),
        maxCount: z.number().int().positive().exactOptional(),
      }),
    ])
    .exactOptional(),
  notice: z
    .union([z.literal(false), z.strictObject({ text: text.exactOptional(), url: link.exactOptional() })])
    .exactOptional(),
  consent: z.strictObject({ text, url: link.exactOptional(), version: text.max(200) }).exactOptional(),
  voice: z.strictObject({ input: z.boolean().exactOptional(), output: z.boolean().exactOptional() }).exactOptional(),
  theme: z.record(z.string(), z.string()).exactOptional(),
  // In the normal form of browsers, because it is compared with addresses and sent in a header.
  imageHosts: z
    .array(
      z
        .string()
        .refine(isHost, "a host such as img.example.com")
        .transform((host) => new URL(`https://${host}`).host),
    )
    .exactOptional(),
  allowedOrigins: z.array(z.string().refine(isOrigin, "an origin such as https://shop.example")).exactOptional(),
  instructions: text.exactOptional(),
  instructionsFile: text.exactOptional(),
  approve: z
    .array(
      z.string().regex(approveEntry, "a tool or <mcp server>/<tool>, such as cancel_order, shop/* or !shop/search"),
    )
    .exactOptional(),
  mcpServers: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, "at most 32 letters, digits, _ and -"), mcpServer)
    .exactOptional(),
  knowledge: knowledge.exactOptional(),
  limits: z.strictObject(limits).exactOptional(),
  secret: z.string().min(16).exactOptional(),
  shareClaims: z
    .array(
      text.refine(
        (name) => !registeredClaims.includes(name),
        `a claim beside the registered ones (${registeredClaims.join(", ")})`,
      ),
    )
    .exactOptional(),
  webhooks: webhooks.exactOptional(),
  prices: z.record(text, price).exactOptional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a currency of ISO 4217, such as USD")
    .exactOptional(),
  retentionDays: days.exactOptional(),
  archiveDays: days.exactOptional(),
});

/** The schema `project`, with checks across its fields. */
export const checkedProject = project.superRefine((fields, context) => {
  if (fields.instructions !== undefined && fields.instructionsFile !== undefined) {
    const message = "nothing here, since the project also has instructions";
    context.addIssue({ code: "custom", path: ["instructionsFile"], message, input: fields.instructionsFile });
  }
  if (fields.secret !== undefined) return;
  const needs = (path: string[], input: unknown, what: string) =>
    context.addIssue({ code: "custom", path, message: `secret to be set as well: ${what}`, input });
  if (fields.shareClaims) {
    needs(["shareClaims"], fields.shareClaims, "claims come with the host's tokens, which it verifies");
  }
  for (const [name, { identify, secret }] of Object.entries(fields.mcpServers ?? {})) {
    if (identify && secret === undefined)
      needs(["mcpServers", name, "identify"], identify, "it signs the token that names the visitor to the MCP server");
  }
});

/** One project as the file describes it, with the text of its instructions file. */
export type ProjectFields = Omit<z.output<typeof project>, "instructionsFile">;

function isHost(value: string): boolean {
  return /^[\p{L}\p{M}\p{N}_.-]+(?::\d+)?$/u.test(value) && URL.canParse(`https://${value}`);
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}
