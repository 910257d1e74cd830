import { ChatError } from "../chat-error.ts";
import { readBody } from "./read-body.ts";

/** Bytes of a body without and with data URLs. */
const jsonLimits = { plain: 1_000_000, withDataUrls: 12_000_000 };

/** Levels of arrays and objects in one another. No request of ours needs more than five. */
const MAX_DEPTH = 32;

/**
 * A request's JSON.
 *
 * @param dataUrls whether files may come in it as data URLs, which makes room for more
 */
export async function readJson(request: Request, dataUrls: boolean): Promise<unknown> {
  requireJson(request);
  const limit = dataUrls ? jsonLimits.withDataUrls : jsonLimits.plain;
  const text = decode(await readBody(request, limit, sizeSentence));
  // Only files excuse a large body: what is long without them is refused like any other.
  if (text.length > jsonLimits.plain && !text.includes("data:")) throw tooLarge();
  if (isDeeperThan(text, MAX_DEPTH)) {
    throw new ChatError("bad_request", `The body nests deeper than ${MAX_DEPTH} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not JSON.", { cause });
  }
}

const sizeSentence = "The body is too large: at most 1 MB, or 12 MB when it carries files as data URLs.";

function tooLarge(): ChatError {
  return new ChatError("payload_too_large", sizeSentence);
}

function requireJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ChatError("unsupported_media_type", "The body must be sent with the content type application/json.");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not UTF-8.", { cause });
  }
}

/** Counts brackets outside strings: cheaper than parsing, and safe before it. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
