import { readFileSync } from "node:fs";
import { approveEntry } from "@nitka/server";
import type { Limits } from "@nitka/server";
import { z } from "zod";
import { SettingsError } from "./settings-error.ts";

const text = z.string().min(1);
const link = z.string().refine(isLink, "a URL that a page may open");
const count = z.union([z.number().int().positive(), z.null()]);

const days = z.union([z.number().int().min(0).max(36_500), z.null()]);

/** Of a million tokens. */
const price = z.strictObject({
  input: z.number().min(0),
  cachedInput: z.number().min(0).exactOptional(),
  output: z.number().min(0),
});

const mcpServer = z.strictObject({
  type: z.literal("http"),
  url: z
    .string()
    .refine(isMcpUrl, "an http or https URL without a user and a password (write an authorization header)"),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a header's name"),
      z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "a value that a header may have"),
    )
    .exactOptional(),
  identify: z.boolean().exactOptional(),
  secret: z.string().min(16).exactOptional(),
});

/** RFC 7519, section 4.1: they say whose the token is and how long it is valid, and are not the host's own. */
const registeredClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

// The type check fails when the server has a limit that is missing here.
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
  feedbackUrl: z.union([link, z.literal(false)]).exactOptional(),
  greeting: z.strictObject({ title: text.exactOptional(), subtitle: text.exactOptional() }).exactOptional(),
  suggestions: z.array(z.strictObject({ title: text, prompt: text })).exactOptional(),
  models: z
    .array(z.strictObject({ id: text, name: text.exactOptional() }))
    .min(1)
    .exactOptional(),
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
  theme: z.record(z.string(), z.string()).exactOptional(),
  // In the form that browsers use, because it is compared with addresses and sent in a header.
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
  approve: z
    .array(
      z.string().regex(approveEntry, "a tool or <mcp server>/<tool>, such as cancel_order, shop/* or !shop/search"),
    )
    .exactOptional(),
  mcpServers: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, "at most 32 letters, digits, _ and -"), mcpServer)
    .exactOptional(),
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
  prices: z.record(text, price).exactOptional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a currency of ISO 4217, such as USD")
    .exactOptional(),
  retentionDays: days.exactOptional(),
  archiveDays: days.exactOptional(),
});

const checkedProject = project.superRefine((fields, context) => {
  if (fields.secret !== undefined) return;
  const needs = (path: string[], input: unknown, what: string) =>
    context.addIssue({ code: "custom", path, message: `secret to be set as well: ${what}`, input });
  if (fields.shareClaims) {
    needs(["shareClaims"], fields.shareClaims, "claims come with the host's tokens, which it verifies");
  }
  for (const [name, { identify, secret }] of Object.entries(fields.mcpServers ?? {})) {
    if (identify && secret === undefined)
      needs(["mcpServers", name, "identify"], identify, "it signs what the server is told");
  }
});

const file = z.strictObject({
  projects: z
    .record(z.string().regex(/^[\w.-]{1,64}$/, "up to 64 letters, digits, dots, _ and -"), checkedProject)
    .refine((projects) => Object.keys(projects).length > 0, "at least one project"),
});

/** One project as the file describes it. */
export type ProjectFields = z.output<typeof project>;

/**
 * Reads the file that NITKA_CONFIG names.
 *
 * @throws {SettingsError} with a sentence for every invalid and every unknown field
 */
export function readConfigFile(path: string): Readonly<Record<string, ProjectFields>> {
  const parsed = file.safeParse(readJson(path), { reportInput: true });
  if (parsed.success) return parsed.data.projects;
  throw new SettingsError(
    parsed.error.issues.flatMap((issue) => sentences(issue)).map((each) => `NITKA_CONFIG (${path}): ${each}`),
  );
}

function readJson(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingsError([
      `NITKA_CONFIG is ${JSON.stringify(path)}: expected a JSON file that can be read (${(error as NodeJS.ErrnoException).code ?? "unreadable"}).`,
    ]);
  }
  try {
    // Some editors write a byte order mark before the first character.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new SettingsError([`NITKA_CONFIG (${path}) is not JSON: ${(error as Error).message}.`]);
  }
}

type Issue = z.core.$ZodIssue;

function sentences(issue: Issue): string[] {
  const where = issue.path.join(".") || "the file";
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => `${[...issue.path, key].join(".")} is an unknown field${suggestion(key)}`);
    case "invalid_key":
      return [`${where} is not a valid name: expected ${issue.issues.map(expectation).join(", ")}.`];
    case "invalid_union":
      return [
        `${where} is ${shown(issue)}: expected ${[...new Set(issue.errors.flat().map(expectation))].join(" or ")}.`,
      ];
    default:
      return [`${where} is ${shown(issue)}: expected ${expectation(issue)}.`];
  }
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "null") return "null";
      return issue.expected === "record"
        ? "an object"
        : `${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "too_small":
      return issue.origin === "string"
        ? `at least ${issue.minimum} characters`
        : `${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

/** The value in the file, cut when it is long and left out when it may be secret. */
function shown(issue: Issue): string {
  const secret = issue.path.at(-1) === "secret" || issue.path.includes("mcpServers");
  if (secret && typeof issue.input === "string" && issue.path.at(-1) !== "type") return "invalid";
  if (issue.input === undefined) return "missing";
  const json = JSON.stringify(issue.input);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

const knownFields = [
  ...Object.keys(project.shape),
  "projects",
  "accept",
  "maxBytes",
  "maxCount",
  "prompt",
  "headers",
  "identify",
  "input",
  "cachedInput",
  "output",
];

/** Names the known field that differs by one typo, as the end of a sentence. */
function suggestion(key: string): string {
  if (["apiBase", "visitor", "features"].includes(key)) return ": the server sets it itself.";
  const near = knownFields.find((field) => field.toLowerCase() === key.toLowerCase() || isTypo(field, key));
  return near ? `: did you mean ${near}?` : ".";
}

/**
 * Whether two words differ by one letter that is added, left out or changed, or by two neighbours that are swapped.
 *
 * @example isTypo("title", "tilte") // true
 */
function isTypo(word: string, typed: string): boolean {
  if (Math.abs(word.length - typed.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === typed[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, typed.length) - start && word.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const [left, right] = [word.slice(start, word.length - end), typed.slice(start, typed.length - end)];
  return (
    Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1] ?? ""}${right[0] ?? ""}`)
  );
}

function isLink(value: string): boolean {
  const url = URL.parse(value, "https://nitka.example/");
  return url !== null && !/^(?:javascript|data|vbscript):$/.test(url.protocol);
}

function isHost(value: string): boolean {
  return /^[\p{L}\p{M}\p{N}_.-]+(?::\d+)?$/u.test(value) && URL.canParse(`https://${value}`);
}

/** Whether a URL is http or https without credentials, which `fetch` refuses. */
function isMcpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}
