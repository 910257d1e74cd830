import { mimeEssence } from "@nitka/protocol/mime-type";
import { ChatError } from "../chat-error.ts";
import { readBody } from "./read-body.ts";
import type { BodyAllowance } from "./read-body.ts";

/** The largest body in bytes: `plain` without its files, `withFiles` including them. */
export const jsonLimits = { plain: 1_000_000, withFiles: 12_000_000 };

/** The most levels of nested arrays and objects. The deepest request of the protocol has five. */
const MAX_DEPTH = 32;

/**
 * The most members of all arrays and objects together. A question of fifty parts has a few hundred. Each member costs
 * time in its schema.
 */
const MAX_VALUES = 2_000;

/** The same limit including opaque fields. The output of a page's tool may be a table of thousands of rows. */
const MAX_OPAQUE_VALUES = 100_000;

/** A parsed body, with its size in bytes. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * Reads a request's JSON.
 *
 * @param withFiles whether the body may contain files, and so be larger. `requireSmallRest` checks the rest of it,
 * after the schema has determined which characters are files.
 * @param opaque fields that no schema inspects: they may contain more values. `tools.parameters` is the field
 * `parameters` of the field `tools`, or of each of its items.
 * @throws ChatError `unsupported_media_type`, `payload_too_large`, `bad_request`, `request_timeout` or `overloaded`
 */
export async function readJson(
  request: Request,
  withFiles: boolean,
  allowance: BodyAllowance,
  opaque: readonly string[] = [],
): Promise<JsonBody> {
  requireJson(request);
  const limit = withFiles ? jsonLimits.withFiles : jsonLimits.plain;
  const { text, bytes } = decode(await readBody(request, limit, sizeSentence, allowance));
  const values = requireModest(text, opaque.length > 0 ? MAX_OPAQUE_VALUES : MAX_VALUES);
  const value = parseJson(text);
  if (values > MAX_VALUES) requireModest(JSON.stringify(without(value, opaque)), MAX_VALUES, opaque);
  return { value, bytes };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not JSON.", { cause });
  }
}

/** The value without these fields. A dot separates the name of a nested field. */
function without(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => without(item, paths));
  const kept = Object.entries(value).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, without(held, pathsBelow(name, paths))]));
}

function pathsBelow(name: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
}

/**
 * Refuses a body that is too large even without its files.
 *
 * @param fileChars the number of characters of the body that are files
 */
export function requireSmallRest({ bytes }: JsonBody, fileChars: number): void {
  if (bytes - fileChars > jsonLimits.plain) throw new ChatError("payload_too_large", sizeSentence);
}

const sizeSentence = "The body is too large: at most 1 MB, or 12 MB with the files in it.";

function requireJson(request: Request): void {
  const type = mimeEssence(request.headers.get("content-type") ?? "");
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

/**
 * Refuses a text that is nested too deep or contains too many values, before it is parsed. It counts brackets and
 * commas outside strings, which is cheap.
 *
 * @param left the names of the fields that were removed from the text, for the error
 * @returns the number of values
 */
function requireModest(text: string, maxValues: number, left: readonly string[] = []): number {
  let depth = 0;
  let values = 0;
  let quoted = false;
  // A loop rather than a regular expression, which runs out of stack in a string of several megabytes, such as a file.
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
    if (values > maxValues) {
      const beside = left.length > 0 ? ` beside ${left.join(" and ")}` : "";
      throw new ChatError("bad_request", `The body holds more than ${maxValues} values${beside}.`);
    }
  }
  return values;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
