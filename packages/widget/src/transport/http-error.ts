/**
 * A request that failed. `status` is 0 if there was no response (no connection, a refused origin, a time-out); `cause` is then
 * the reason. The specification gives the message: `HTTP 404 Not Found: …` or `Upstream 502: …`.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** The `error.code` of the response's body, such as `run_in_progress`. */
  readonly code: string | undefined;
  /** The response's `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: {
      readonly status: number;
      readonly code?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * Whether a repeated request may succeed: there was no response, or the backend is restarting, broken or overloaded for now.
 */
export function isTemporary({ status }: HttpError): boolean {
  return status < 400 || status === 408 || status === 429 || status >= 500;
}

/** The error of a request without a response. */
export function unreachable(cause: unknown): HttpError {
  return new HttpError(cause instanceof Error ? cause.message : String(cause), { status: 0, cause });
}

/**
 * The error code in a response's body.
 *
 * @example problemCodeOf('{"error":{"code":"run_in_progress","message":"…"}}') // "run_in_progress"
 */
export function problemCodeOf(body: string): string | undefined {
  try {
    const code: unknown = (JSON.parse(body) as { error?: { code?: unknown } } | null)?.error?.code;
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}
