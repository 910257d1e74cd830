/** Everything a caller can do wrong, or find missing. `http/error-response.ts` alone knows their statuses. */
export type ChatErrorCode =
  | "bad_request"
  | "unauthorized"
  | "forbidden_origin"
  | "not_found"
  | "method_not_allowed"
  | "run_in_progress"
  | "payload_too_large"
  | "storage_exceeded"
  | "unsupported_media_type"
  | "unprocessable"
  | "rate_limited"
  | "budget_exceeded"
  | "overloaded"
  | "unavailable";

/** What a service refuses, and why, in a sentence that names what is wrong. */
export class ChatError extends Error {
  readonly code: ChatErrorCode;
  /** Seconds after which it is worth trying again, where that helps. */
  readonly retryAfter: number | undefined;

  constructor(code: ChatErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(message, options);
    this.name = "ChatError";
    this.code = code;
    this.retryAfter = options?.retryAfter;
  }
}
