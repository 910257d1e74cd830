import { isDataUrl } from "@nitka/protocol/data-url";
import { mimeEssence } from "@nitka/protocol/mime-type";
import { MAX_TITLE_CHARS, cleanTitle } from "@nitka/protocol/thread-title";
import { z } from "zod";
import { Refusal } from "./refusal.ts";

/** The same limit as our server's for a body with files. */
const MAX_BODY_CHARS = 12_000_000;

const id = z.string().regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters");

/** Not an address: the route, or its provider, would request it from inside the host's network. */
const dataUrl = z.string().refine(isDataUrl, "must be a data URL");

const file = z.object({ type: z.literal("file"), mimeType: z.string().min(1), filename: z.string().optional() });
const format = z.string();
const part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), image: dataUrl }),
  file.extend({ data: z.base64() }),
  file.extend({ url: dataUrl }),
  z.object({ type: z.literal("audio"), audio: z.object({ data: z.base64(), format }) }),
  z.object({ type: z.literal("audio"), audio: z.object({ url: dataUrl, format }) }),
]);

const question = z.object({
  id,
  role: z.literal("user"),
  content: z.union([z.string(), z.array(part)], {
    error: "must be a text, or a list of parts of the types text, image, file and audio, with files as data",
  }),
  attachments: z
    .array(
      z.object({
        id,
        type: z.enum(["image", "document", "file"]),
        name: z.string(),
        contentType: z.string(),
        size: z.number(),
        url: dataUrl,
      }),
    )
    .optional(),
  parentId: id.nullable().optional(),
});

/**
 * The part of a question's request that matters here. The widget sends more, which a route of the AI SDK does not know.
 */
export const runRequest = z.object({
  messages: z.tuple([question], { error: "must hold exactly one message, the visitor's new one" }),
  trigger: z.enum(["submit-message", "regenerate-message"]).nullish(),
});

export const renameRequest = z.object({
  title: z
    .string()
    .refine(
      (title) => cleanTitle(title) !== undefined && Array.from(title.trim()).length <= MAX_TITLE_CHARS,
      `must have 1 to ${MAX_TITLE_CHARS} characters`,
    )
    .transform((title) => cleanTitle(title) ?? title),
});

/** The body of a request that needs none. */
export const nothing = z.object({});

/**
 * The JSON of a request, in the form that its operation requires.
 *
 * @throws Refusal that names the field
 */
export async function readPosted<T>(request: Request, form: z.ZodType<T>): Promise<T> {
  // A page of another site can send any other content type without a preflight, with the visitor's cookie.
  if (mimeEssence(request.headers.get("content-type") ?? "") !== "application/json")
    throw new Refusal("unsupported_media_type", "The body must be sent with the content type application/json.");
  const result = form.safeParse(parse(await readText(request)));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Refusal("unprocessable", `${issue?.path.join(".") || "The body"}: ${issue?.message}.`);
}

async function readText({ body }: Request): Promise<string> {
  let text = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > MAX_BODY_CHARS) throw new Refusal("payload_too_large", "The body has more than 12 MB.");
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("bad_request", "The body is not JSON.");
  }
}
