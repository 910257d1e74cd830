/** The HTTP status of each error. No other file contains one. */
import type { Problem } from "@nitka/protocol";
import { ChatError, HostRefusal } from "../chat-error.ts";
import type { ChatErrorCode } from "../chat-error.ts";
import { RETRY_AFTER_S } from "../services/timings.ts";
import { StorageUnavailableError } from "../storage/storage.ts";

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem;
}

/** Every code that a response can have, with its status. docs/protocol.md lists the same. */
export const errorStatuses: Readonly<Record<ChatErrorCode | "internal", number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  consent_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  run_in_progress: 409,
  already_answered: 409,
  already_claimed: 409,
  request_timeout: 408,
  payload_too_large: 413,
  storage_exceeded: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  budget_exceeded: 429,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
};

/** An error as a response. The message of an unexpected error may contain secrets, so it is only logged. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof ChatError) return errorResponse(error.code, error.message, error.retryAfter);
  if (error instanceof HostRefusal) {
    const { status, code, message, retryAfter } = error;
    return { status, headers: retryHeaders(retryAfter), problem: { error: { code, message } } };
  }
  if (error instanceof StorageUnavailableError) {
    const message = "The database is unavailable. Try again in a few seconds.";
    return errorResponse("unavailable", message, RETRY_AFTER_S.database);
  }
  return errorResponse("internal", "The server failed. The log has the details under this request's id.");
}

/** The same as a `Response`. */
export function problemResponse(error: unknown, headers: Readonly<Record<string, string>>): Response {
  const { status, headers: more, problem } = toErrorResponse(error);
  return Response.json(problem, { status, headers: { ...headers, ...more } });
}

function errorResponse(code: keyof typeof errorStatuses, message: string, retryAfter?: number): ErrorResponse {
  return { status: errorStatuses[code], headers: retryHeaders(retryAfter), problem: { error: { code, message } } };
}

function retryHeaders(retryAfter: number | undefined): Readonly<Record<string, string>> {
  return retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) };
}
