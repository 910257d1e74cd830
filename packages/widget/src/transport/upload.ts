import type { Attachment } from "@nitka/protocol";
import type { Api } from "./http-request.ts";
import { authorized } from "./http-request.ts";
import { HttpError, problemCodeOf, unreachable } from "./http-error.ts";
import { readAttachment } from "./read-answer.ts";

/** Sends a file as multipart form data. By XMLHttpRequest, because `fetch` tells nothing of how much has been sent. */
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
    const call = new XMLHttpRequest();
    const abort = () => call.abort();
    const fail = (reason: string) => () => reject(unreachable(new Error(reason)));
    call.addEventListener("load", () => {
      try {
        resolve(answerOf(call));
      } catch (error) {
        reject(error);
      }
    });
    call.addEventListener("error", fail("The upload failed: no connection."));
    call.addEventListener("abort", fail("The upload was given up."));
    call.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    call.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    });
    signal.addEventListener("abort", abort);
    call.open("POST", `${api.base}/${path}`);
    call.withCredentials = api.credentials === "include";
    if (token !== undefined) call.setRequestHeader("authorization", `Bearer ${token}`);
    const form = new FormData();
    form.append("file", file, file.name);
    if (signal.aborted) return reject(unreachable(new Error("The upload was given up.")));
    return call.send(form);
  });
}

function answerOf(call: XMLHttpRequest): Attachment {
  const { status, statusText, responseText } = call;
  const fail = (detail: string) =>
    new HttpError(`HTTP ${status} ${statusText}: ${detail}`, { status, code: problemCodeOf(responseText) });
  if (status < 200 || status > 299) throw fail(responseText);
  try {
    return readAttachment(JSON.parse(responseText));
  } catch {
    throw fail("the answer is not an attachment");
  }
}
