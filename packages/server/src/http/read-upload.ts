import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { ChatError, unprocessable } from "../chat-error.ts";
import type { IncomingFile } from "../services/files/keep-file.ts";
import { pacedBody } from "./paced-body.ts";
import type { PacedBody } from "./paced-body.ts";
import { requirePlainBody } from "./read-body.ts";

/** The most bytes of a form besides its file: boundaries, headers, other fields. */
const FORM_BYTES = 64_000;

/**
 * Reads the one file of a multipart form (RFC 7578), in its field `file`. Resolves as soon as the file begins. The
 * bytes are read on demand. After the last byte, the pieces reject if the rest of the form is invalid.
 *
 * @param maxBytes the most bytes of the file
 * @param slowBodyMs see `Timings`
 * @throws ChatError `unsupported_media_type`, `payload_too_large`, `bad_request`, `request_timeout` or `unprocessable`,
 * also from the pieces
 */
export async function readUpload(request: Request, maxBytes: number, slowBodyMs: number): Promise<IncomingFile> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) {
    throw new ChatError("unsupported_media_type", "The file must be sent as multipart/form-data.");
  }
  requirePlainBody(request);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes + FORM_BYTES) {
    throw new ChatError("payload_too_large", `The file is too large: at most ${maxBytes} bytes are accepted.`);
  }
  const { name, type, stream, over, stop } = await parseForm(pacedBody(request.body, slowBodyMs), contentType);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) yield piece;
      await over;
    } catch (error) {
      throw error instanceof ChatError ? error : notAForm(error);
    } finally {
      stop();
    }
  }
  return { name, contentType: type, pieces: pieces(), ...(length !== null && { maxSize: Number(length) }) };
}

interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly stream: BusboyFileStream;
  /** Resolves at the form's end; rejects when the form is malformed, or does not contain exactly one file. */
  readonly over: Promise<void>;
  readonly stop: () => void;
}

/** Resolves when the file begins. The body is read no faster than the stream of the file (backpressure). */
async function parseForm(body: PacedBody, contentType: string): Promise<FormFile> {
  const form = newParser(contentType);
  const begun = Promise.withResolvers<FormFile>();
  const over = Promise.withResolvers<void>();
  over.promise.catch(begun.reject);
  let files = 0;
  let file: BusboyFileStream | undefined;

  form.on("file", (field, stream, filename: string | undefined, _encoding, type) => {
    files += 1;
    // An `error` event without a listener would end the process. The reader of the stream gets the error anyway.
    stream.on("error", () => undefined);
    if (files > 1 || field !== "file") {
      files = 2;
      stream.resume();
      return;
    }
    file = stream;
    // Browsers encode a quotation mark in a name as %22 (HTML standard, multipart/form-data encoding).
    const name = (filename ?? "").replaceAll("%22", '"');
    begun.resolve({ name, type, stream, over: over.promise, stop: body.release });
  });
  form.on("field", (field) => {
    if (field === "file") files = 2;
  });
  form.on("error", (error: unknown) => over.reject(notAForm(error)));
  form.on("finish", () => {
    if (files === 1) over.resolve();
    else over.reject(unprocessable("The form must hold one file in its field `file`."));
  });

  const fed = async () => {
    await feed(form, body);
    if (file) await finished(file);
    await setImmediate();
    // The parser emits no event for a part whose headers do not end. This rejects after all events were emitted.
    over.reject(notAForm(undefined));
  };
  fed().catch((cause: unknown) => {
    const error = cause instanceof ChatError ? cause : notAForm(cause);
    over.reject(error);
    file?.destroy(error);
  });
  return begun.promise;
}

/** @throws ChatError `bad_request` for a boundary that the parser does not accept */
function newParser(contentType: string): BusboyInstance {
  try {
    const limits = { fields: 20, parts: 30 };
    return new Busboy({ headers: { "content-type": contentType }, preservePath: true, limits });
  } catch (cause) {
    throw notAForm(cause);
  }
}

async function feed(form: BusboyInstance, body: PacedBody): Promise<void> {
  for (let bytes = await body.read(); bytes; bytes = await body.read()) {
    const taken = bytes;
    // Busboy calls back when it has parsed the bytes and the file's reader has taken them.
    await new Promise<void>((resolve) => void form.write(taken, () => resolve()));
  }
  form.end();
}

function notAForm(cause: unknown): ChatError {
  return new ChatError("bad_request", "The body is not a complete multipart form.", { cause });
}
