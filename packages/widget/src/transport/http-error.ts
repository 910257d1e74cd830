/**
 * A call that failed. `status` is 0 when no answer came at all (no connection, a refused origin, a timeout); then `cause`
 * says why. The message is the one that the specification words: `HTTP 404 Not Found: …` or `Upstream 502: …`.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** The backend's own name for the error, such as `run_in_progress`, where its body tells one. */
  readonly code: string | undefined;

  constructor(
    message: string,
    options: { readonly status: number; readonly code?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
  }
}

/** No answer came. */
export function unreachable(cause: unknown): HttpError {
  return new HttpError(cause instanceof Error ? cause.message : String(cause), { status: 0, cause });
}

/** The `error.code` of a body that is a problem (`{ error: { code, message } }`). */
export function problemCodeOf(body: string): string | undefined {
  try {
    const code: unknown = (JSON.parse(body) as { error?: { code?: unknown } } | null)?.error?.code;
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}
