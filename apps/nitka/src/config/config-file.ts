import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { approveEntry } from "@nitka/server";
import type { Limits } from "@nitka/server";
import { z } from "zod";
import { sentences } from "./config-problems.ts";
import { withVariables } from "./config-variables.ts";
import { isHttpUrl, knowledge, knowledgeFieldNames, withFolders } from "./knowledge-fields.ts";
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

const headers = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a header's name"),
    z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "a value that a header may have"),
  )
  .exactOptional();

const mcpServer = z.strictObject({
  type: z.literal("http"),
  url: z
    .string()
    .refine(isHttpUrl, "an http or https URL without a user and a password (write an authorization header)"),
  headers,
  identify: z.boolean().exactOptional(),
  secret: z.string().min(16).exactOptional(),
});

const access = {
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "a key of plain visible characters, without spaces")
    .exactOptional(),
  headers,
};
const baseUrl = z
  .string()
  .refine(isBaseUrl, "an http or https URL without a user, a query or a fragment, since a path is appended");

const provider = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("openai-compatible"), baseUrl, ...access }),
    z.strictObject({ type: z.enum(["openai", "anthropic", "google"]), baseUrl: baseUrl.exactOptional(), ...access }),
  ],
  { error: '"openai-compatible" or "openai" or "anthropic" or "google"' },
);

const model = z.strictObject({
  id: text,
  name: text.exactOptional(),
  input: z.array(z.enum(["image", "pdf", "audio"])).exactOptional(),
  tools: z.boolean().exactOptional(),
  contextTokens: z.number().int().positive().exactOptional(),
  reasoningTag: z
    .union([z.literal(false), z.string().regex(/^[\w-]{1,32}$/, 'the name of a tag, such as "think"')])
    .exactOptional(),
  reasoningFirst: z.boolean().exactOptional(),
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
  prices: z.record(text, price).exactOptional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a currency of ISO 4217, such as USD")
    .exactOptional(),
  retentionDays: days.exactOptional(),
  archiveDays: days.exactOptional(),
});

const checkedProject = project.superRefine((fields, context) => {
  if (fields.instructions !== undefined && fields.instructionsFile !== undefined) {
    const message = "nothing here, since the project has instructions as well";
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
      needs(["mcpServers", name, "identify"], identify, "it signs what the server is told");
  }
});

const file = z.strictObject({
  providers: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,32}$/, "up to 32 letters, digits, _ and -")
        .refine((name) => name !== "demo", "another name than demo, which is the built-in model"),
      provider,
    )
    .exactOptional(),
  projects: z
    .record(z.string().regex(/^[\w.-]{1,64}$/, "up to 64 letters, digits, dots, _ and -"), checkedProject)
    .refine((projects) => Object.keys(projects).length > 0, "at least one project"),
});

/** One project as the file describes it, with the text of its instructions' file. */
export type ProjectFields = Omit<z.output<typeof project>, "instructionsFile">;

export type ProviderFields = z.output<typeof provider>;

/** One model of a project, with what cannot be known of it from outside. */
export type ModelFields = z.output<typeof model>;

export interface ConfigFile {
  readonly projects: Readonly<Record<string, ProjectFields>>;
  readonly providers: Readonly<Record<string, ProviderFields>>;
}

/**
 * Reads the file that NITKA_CONFIG names. `${NAME}` in a string of it is the value of that environment variable, and `$${` is
 * a plain `${`.
 *
 * @throws {SettingsError} with a sentence for every invalid and every unknown field
 */
export function readConfigFile(path: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const written = readJson(path);
  const problems: string[] = [];
  const parsed = file.safeParse(withVariables(written, env, problems), { reportInput: true });
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => sentences(issue, { written, knownFields })));
  const projects = Object.entries(parsed.data?.projects ?? {}).map(([id, { instructionsFile, ...named }]) => {
    const known = named.knowledge;
    const fields = known ? { ...named, knowledge: withFolders(known, dirname(path)) } : named;
    if (instructionsFile === undefined) return [id, fields] as const;
    const instructions = readInstructions(resolve(dirname(path), instructionsFile));
    if (instructions !== undefined) return [id, { ...fields, instructions }] as const;
    problems.push(
      `projects.${id}.instructionsFile is ${JSON.stringify(instructionsFile)}: expected a file with text, relative to this one.`,
    );
    return [id, fields] as const;
  });
  if (problems.length > 0) throw new SettingsError(problems.map((each) => `NITKA_CONFIG (${path}): ${each}`));
  return { projects: Object.fromEntries(projects), providers: parsed.data?.providers ?? {} };
}

/** The text of a file; `undefined` where there is none. */
function readInstructions(path: string): string | undefined {
  try {
    return (
      readFileSync(path, "utf8")
        .replace(/^\uFEFF/, "")
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
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

const knownFields = [
  ...Object.keys(project.shape),
  ...Object.keys(model.shape),
  ...knowledgeFieldNames,
  "projects",
  "providers",
  "baseUrl",
  "apiKey",
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

function isLink(value: string): boolean {
  const url = URL.parse(value, "https://nitka.example/");
  return url !== null && !/^(?:javascript|data|vbscript):$/.test(url.protocol);
}

function isHost(value: string): boolean {
  return /^[\p{L}\p{M}\p{N}_.-]+(?::\d+)?$/u.test(value) && URL.canParse(`https://${value}`);
}

/** Whether a path can be appended to it. */
function isBaseUrl(value: string): boolean {
  return isHttpUrl(value) && !/[?#]/.test(value);
}

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}
