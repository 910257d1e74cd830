/** The one place that knows which status an error has. */
import type { Problem } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import type { ChatErrorCode } from "../chat-error.ts";
import { StorageUnavailableError } from "../storage/storage.ts";

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem;
}

/** An error as an answer. What is not the caller's doing is told in one sentence, without its cause. */
export function toErrorReply(error: unknown): ErrorReply {
  if (error instanceof ChatError) {
    const headers = error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) };
    return reply(statuses[error.code], error.code, error.message, headers);
  }
  if (error instanceof StorageUnavailableError) {
    return reply(503, "unavailable", "The database cannot be asked now. Try again in a few seconds.", {
      "retry-after": "5",
    });
  }
  return reply(500, "internal", "The server failed to answer. The log has the details under this request's id.", {});
}

const statuses: Readonly<Record<ChatErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  run_in_progress: 409,
  payload_too_large: 413,
  storage_exceeded: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  budget_exceeded: 429,
  overloaded: 503,
  unavailable: 503,
};

function reply(status: number, code: string, message: string, headers: Readonly<Record<string, string>>): ErrorReply {
  return { status, headers, problem: { error: { code, message } } };
}
