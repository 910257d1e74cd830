import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import type { BusboyFileStream } from "@fastify/busboy";
import { ChatError } from "../chat-error.ts";
import type { IncomingFile } from "../services/keep-file.ts";
import { requirePlainBody } from "./read-body.ts";

/** What a form needs beside its file: borders, headers, other fields. */
const FORM_BYTES = 64_000;

/**
 * The one file of a multipart form, in its field `file`. Resolves as soon as the file begins: its bytes are read as they
 * are asked for. What else the form holds is known when they have all come.
 *
 * @param maxBytes of the file
 */
export async function readUpload(request: Request, maxBytes: number): Promise<IncomingFile> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) {
    throw new ChatError("unsupported_media_type", "The file must be sent as multipart/form-data.");
  }
  requirePlainBody(request);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes + FORM_BYTES) {
    throw new ChatError("payload_too_large", `The file is too large: at most ${maxBytes} bytes are taken.`);
  }
  const { name, type, stream, over, stop } = await parseForm(request, contentType);
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
  return { name, contentType: type, pieces: pieces(), ...(length !== null && { atMost: Number(length) }) };
}

interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly stream: BusboyFileStream;
  /** Resolves at the form's end; rejects when the form is not what it should be. */
  readonly over: Promise<void>;
  readonly stop: () => void;
}

/** Resolves when the file begins. The body is read no faster than the file's stream. */
function parseForm(request: Request, contentType: string): Promise<FormFile> {
  const form = new Busboy({
    headers: { "content-type": contentType },
    preservePath: true,
    limits: { fields: 20, parts: 30 },
  });
  const begun = Promise.withResolvers<FormFile>();
  const over = Promise.withResolvers<void>();
  over.promise.catch(begun.reject);
  const reader = request.body?.getReader();
  const stop = () => reader?.releaseLock();
  let files = 0;
  let file: BusboyFileStream | undefined;

  form.on("file", (field, stream, filename: string | undefined, _encoding, type) => {
    files += 1;
    // Without a listener an error would end the process; the one who reads the stream sees it all the same.
    stream.on("error", () => undefined);
    if (files > 1 || field !== "file") {
      files = 2;
      stream.resume();
      return;
    }
    file = stream;
    // Browsers write a quotation mark in a name this way.
    const name = (filename ?? "").replaceAll("%22", '"');
    begun.resolve({ name, type, stream, over: over.promise, stop });
  });
  form.on("field", (field) => {
    if (field === "file") files = 2;
  });
  form.on("error", (error: unknown) => over.reject(notAForm(error)));
  form.on("finish", () => {
    if (files === 1) over.resolve();
    else over.reject(new ChatError("unprocessable", "The form must hold one file in its field `file`."));
  });

  const fed = async () => {
    await feed(form, reader);
    if (file) await finished(file);
    await setImmediate();
    // The parser says nothing of a part whose headers have no end.
    over.reject(notAForm(undefined));
  };
  fed().catch((cause: unknown) => {
    const error = new ChatError("bad_request", "The body broke off before its end.", { cause });
    over.reject(error);
    file?.destroy(error);
  });
  return begun.promise;
}

async function feed(form: Busboy, reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    // Called back when the parser and whoever reads the file have taken the bytes.
    await new Promise<void>((resolve) => void form.write(next.value, () => resolve()));
  }
  form.end();
}

function notAForm(cause: unknown): ChatError {
  return new ChatError("bad_request", "The body is not a whole multipart form.", { cause });
}
