import { ChatError } from "../chat-error.ts";
import { readBody } from "./read-body.ts";

export interface UploadForm {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What a form needs beside its file: borders, headers, other fields. */
const FORM_BYTES = 64_000;

/**
 * The one file of a multipart form, in its field `file`.
 *
 * @param maxBytes of the file
 */
export async function readUpload(request: Request, maxBytes: number): Promise<UploadForm> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new ChatError("unsupported_media_type", "The file must be sent as multipart/form-data.");
  }
  const body = await readBody(
    request,
    maxBytes + FORM_BYTES,
    `The file is too large: at most ${maxBytes} bytes are taken.`,
  );
  const files = (await formOf(body, contentType)).getAll("file");
  const [file] = files;
  if (files.length !== 1 || file === undefined || typeof file === "string") {
    throw new ChatError("unprocessable", "The form must hold one file in its field `file`.");
  }
  return { name: file.name, contentType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) };
}

async function formOf(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(body), { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new ChatError("bad_request", "The body is not a multipart form.", { cause });
  }
}
