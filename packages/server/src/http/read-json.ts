import { ChatError } from "../chat-error.ts";
import type { HeldBytes } from "../services/byte-budget.ts";
import { readBody } from "./read-body.ts";

/** Bytes of a body, without the files in it and with them. */
const jsonLimits = { plain: 1_000_000, withFiles: 12_000_000 };

/** Levels of arrays and objects in one another. No request of ours needs more than five. */
const MAX_DEPTH = 32;

/** Members of its arrays and objects. A question of fifty parts has a few hundred; a check of each costs time. */
const MAX_VALUES = 2_000;

/** A request's JSON, and how many bytes it came as. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * A request's JSON.
 *
 * @param withFiles whether files may come in it, which makes room for them. Once it is known what of it is files,
 *   `requireRoom` looks at the rest.
 * @param held takes up what the body holds of the memory
 */
export async function readJson(request: Request, withFiles: boolean, held: HeldBytes): Promise<JsonBody> {
  requireJson(request);
  const limit = withFiles ? jsonLimits.withFiles : jsonLimits.plain;
  const { text, bytes } = decode(await readBody(request, limit, sizeSentence, held));
  requireModest(text);
  try {
    return { value: JSON.parse(text) as unknown, bytes };
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not JSON.", { cause });
  }
}

/**
 * Only files excuse a large body: what is long without them is refused like any other.
 *
 * @param fileChars how many characters of the body are files
 */
export function requireRoom({ bytes }: JsonBody, fileChars: number): void {
  if (bytes - fileChars > jsonLimits.plain) throw new ChatError("payload_too_large", sizeSentence);
}

const sizeSentence = "The body is too large: at most 1 MB, or 12 MB with the files in it.";

function requireJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ChatError("unsupported_media_type", "The body must be sent with the content type application/json.");
  }
}

function decode(body: Uint8Array): { readonly text: string; readonly bytes: number } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(body), bytes: body.length };
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not UTF-8.", { cause });
  }
}

/** Counts brackets and commas outside strings: cheaper than parsing and checking, and safe before both. */
function requireModest(text: string): void {
  let depth = 0;
  let values = 0;
  let quoted = false;
  // By hand: a regular expression runs out of stack in a string of several megabytes, as files are.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === COMMA) values += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) throw new ChatError("bad_request", `The body nests deeper than ${MAX_DEPTH} levels.`);
    if (values > MAX_VALUES) throw new ChatError("bad_request", `The body holds more than ${MAX_VALUES} values.`);
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
