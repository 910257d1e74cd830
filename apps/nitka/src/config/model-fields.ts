/** The fields of providers and models. */
import { z } from "zod";
import { headers, isHttpUrl, text } from "./field-forms.ts";

const access = {
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "a key of plain visible characters, without spaces")
    .exactOptional(),
  headers,
  identify: z.boolean().exactOptional(),
};
const baseUrl = z
  .string()
  .refine(isBaseUrl, "an http or https URL without a user, a query or a fragment, since a path is appended");

export const provider = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("openai-compatible"), baseUrl, ...access }),
    z.strictObject({ type: z.enum(["openai", "anthropic", "google"]), baseUrl: baseUrl.exactOptional(), ...access }),
  ],
  { error: '"openai-compatible" or "openai" or "anthropic" or "google"' },
);

export const model = z.strictObject({
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

export type ProviderFields = z.output<typeof provider>;

/** One model of a project, with the properties that cannot be detected. */
export type ModelFields = z.output<typeof model>;

/** Prices per million tokens. */
export const price = z.strictObject({
  input: z.number().min(0),
  cachedInput: z.number().min(0).exactOptional(),
  output: z.number().min(0),
});

/** Whether a path can be appended to the URL. */
function isBaseUrl(value: string): boolean {
  return isHttpUrl(value) && !/[?#]/.test(value);
}
