/**
 * The code of each error that a client can get, except `internal` (500), which stands for every other error.
 * `http/error-response.ts` maps codes to statuses; docs/protocol.md, "Errors", lists both.
 */
export type ChatErrorCode =
  /** The request cannot be parsed. */
  | "bad_request"
  /** A token is invalid or has expired. */
  | "unauthorized"
  /** The project does not allow the origin of the page. */
  | "forbidden_origin"
  /** The visitor has not accepted the current version of the project's `consent`. */
  | "consent_required"
  /** The requested thing does not exist, or belongs to another visitor. */
  | "not_found"
  /** The path does not support the method. */
  | "method_not_allowed"
  /** Another run is in progress in the thread. */
  | "run_in_progress"
  /** The tool call no longer waits: it was answered before, or timed out. */
  | "already_answered"
  /** Another page has claimed the tool call. */
  | "already_claimed"
  /** The body arrived too slowly. */
  | "request_timeout"
  /** A body or a file is too large. */
  | "payload_too_large"
  /** A quota for files is used up: the visitor's, the project's, or that of the address for the day. */
  | "storage_exceeded"
  /** A body or a file has a type that is not accepted. */
  | "unsupported_media_type"
  /** The request was parsed, but one of its fields is invalid. */
  | "unprocessable"
  /** Too many requests per minute, or too many concurrent runs. */
  | "rate_limited"
  /** The day's token budget is used up. */
  | "budget_exceeded"
  /** This process is at its limit of work, or is closing. */
  | "overloaded"
  /** The database is unavailable. */
  | "unavailable";

/** An error for the client. Its message says what is wrong, and names bad input. */
export class ChatError extends Error {
  readonly code: ChatErrorCode;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
  /**
   * The name of the exceeded limit in the configuration, such as `messagesPerMinute` or `maxRuns`. It is counted and
   * logged.
   */
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

/** A refusal by the host, which decides what the response says. */
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

/** Also for data that belongs to another visitor. */
export function notFound(what: "thread" | "attachment" | "message" | "project"): ChatError {
  return new ChatError("not_found", `There is no such ${what}.`);
}

/** @param sentence says which field of the request is wrong, and what is expected */
export function unprocessable(sentence: string): ChatError {
  return new ChatError("unprocessable", sentence);
}
