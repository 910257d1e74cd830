/**
 * The code of each error that a client can get, except `internal` (500), which every other error becomes.
 * `http/error-response.ts` has their statuses; docs/protocol.md, "Errors", lists both.
 */
export type ChatErrorCode =
  /** The request cannot be parsed. */
  | "bad_request"
  /** A token is invalid or has expired. */
  | "unauthorized"
  /** The project does not allow the page's origin. */
  | "forbidden_origin"
  /** The visitor has not agreed to the current version of the project's `consent`. */
  | "consent_required"
  /** There is no such thing, or it belongs to someone else. */
  | "not_found"
  /** The path has no such method. */
  | "method_not_allowed"
  /** The thread has another run in progress. */
  | "run_in_progress"
  /** The tool call waits no longer: it was answered before, or its time is over. */
  | "already_answered"
  /** Another page has claimed the tool call. */
  | "already_claimed"
  /** The body came too slowly. */
  | "request_timeout"
  /** A body or a file is too large. */
  | "payload_too_large"
  /** A quota for files is used up: of the visitor, the project, or the address for the day. */
  | "storage_exceeded"
  /** A body or a file has a type that is not accepted. */
  | "unsupported_media_type"
  /** The request can be parsed, and a field of it is wrong. */
  | "unprocessable"
  /** Too many requests in a minute, or too many runs at one time. */
  | "rate_limited"
  /** The day's tokens are used up. */
  | "budget_exceeded"
  /** This process has as much work as it may have, or closes. */
  | "overloaded"
  /** The database is away. */
  | "unavailable";

/** An error for the client. Its message says what is wrong, and names bad input. */
export class ChatError extends Error {
  readonly code: ChatErrorCode;
  /** Seconds after which another try may succeed. */
  readonly retryAfter: number | undefined;
  /** The name of the limit that refuses, as operators know it: `messagesPerMinute`, `maxRuns`. It is counted and logged. */
  readonly limit: string | undefined;

  constructor(
    code: ChatErrorCode,
    message: string,
    options?: ErrorOptions & { readonly retryAfter?: number; readonly limit?: string },
  ) {
    super(message, options);
    this.name = "ChatError";
    this.code = code;
    this.retryAfter = options?.retryAfter;
    this.limit = options?.limit;
  }
}

/** A refusal of the host's own: it decides what the response says. */
export class HostRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | undefined;

  constructor(refusal: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly retryAfter?: number | undefined;
  }) {
    super(refusal.message);
    this.name = "HostRefusal";
    this.status = refusal.status;
    this.code = refusal.code;
    this.retryAfter = refusal.retryAfter;
  }
}
