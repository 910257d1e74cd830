import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import type { Api } from "./http-request.ts";
import { authorized } from "./http-request.ts";
import { UPLOAD_STALL_MS } from "../timings.ts";
import { HttpError, problemCodeOf, unreachable } from "./http-error.ts";
import { isRecord } from "./read-response.ts";

/** Sends a file as multipart form data, by XMLHttpRequest, because `fetch` does not report the progress of an upload. */
export function upload(api: Api, path: string, file: File, options: UploadOptions): Promise<Attachment> {
  return authorized(api, (token) => send(api, path, file, options, token));
}

interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

function send(
  api: Api,
  path: string,
  file: File,
  { signal, onProgress }: UploadOptions,
  token: string | undefined,
): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let timer = setTimeout(abort, UPLOAD_STALL_MS);
    const fail = (reason: string) => () => reject(unreachable(new Error(reason)));
    request.addEventListener("load", () => {
      try {
        resolve(attachmentIn(request));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener("error", fail("The upload failed: no connection."));
    request.addEventListener("abort", fail("The upload was aborted."));
    request.addEventListener("loadend", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
    request.upload.addEventListener("progress", (event) => {
      clearTimeout(timer);
      timer = setTimeout(abort, UPLOAD_STALL_MS);
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    });
    signal.addEventListener("abort", abort);
    request.open("POST", `${api.base}/${path}`);
    request.withCredentials = api.credentials === "include";
    if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
    const form = new FormData();
    form.append("file", file, file.name);
    if (signal.aborted) {
      clearTimeout(timer);
      return reject(unreachable(new Error("The upload was aborted.")));
    }
    return request.send(form);
  });
}

function attachmentIn(request: XMLHttpRequest): Attachment {
  const { status, statusText, responseText } = request;
  const fail = (detail: string) =>
    new HttpError(`HTTP ${status} ${statusText}: ${detail}`, { status, code: problemCodeOf(responseText) });
  if (status < 200 || status > 299) throw fail(responseText);
  try {
    return readAttachment(JSON.parse(responseText));
  } catch {
    throw fail("the answer is not an attachment");
  }
}

/** Reads the response to an upload. Throws a `TypeError` if it has no id or no address. */
export function readAttachment(value: unknown): Attachment {
  if (!isRecord(value) || typeof value["id"] !== "string" || typeof value["url"] !== "string") {
    throw new TypeError("The answer is not an attachment: it has no id or no url.");
  }
  const contentType = textOr(value["contentType"], "application/octet-stream");
  return {
    id: value["id"],
    type: attachmentTypeOf(contentType),
    name: textOr(value["name"], value["id"]),
    contentType,
    size: typeof value["size"] === "number" ? value["size"] : 0,
    url: value["url"],
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
