import type { Credential } from "./credential.ts";
import { HttpError, problemCodeOf, unreachable } from "./http-error.ts";
import { REQUEST_TIMEOUT_MS, RETRY_AFTER_MAX_MS, STREAM_HEADERS_TIMEOUT_MS } from "../timings.ts";

/**
 * The maximum size of a request with `keepalive`. Browsers refuse it if the bodies of all such requests in flight exceed 64 KB.
 */
const KEEPALIVE_CHARS = 4000;

/** What every request to a backend needs. */
export interface Api {
  /** Without a trailing slash. */
  readonly base: string;
  readonly credentials: RequestCredentials;
  /** Provides the token for `Authorization: Bearer`. */
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  /** Aborts every request when the widget is destroyed. */
  readonly signal: AbortSignal;
}

export interface RequestOptions {
  /** The body, sent as JSON by POST. Without a body the request is a GET, unless `method` is given. */
  readonly json?: unknown;
  readonly method?: "DELETE";
  readonly accept?: string;
  /** Aborts a request whose response is a stream or a file. Then only the headers have a time-out. */
  readonly signal?: AbortSignal;
  /** Whether the request survives the page that makes it (`keepalive`), if it is small enough. */
  readonly outlivesPage?: boolean;
  /** Called when the request is about to leave the page. */
  readonly onSent?: ((outlivesPage: boolean) => void) | undefined;
  /** The first word of a failure's message. */
  readonly failure?: "HTTP" | "Upstream";
}

/** Makes a request. Rejects with an {@link HttpError} if there is no response or its status is not 2xx. */
export function request(api: Api, path: string, options: RequestOptions = {}): Promise<Response> {
  return authorized(api, (token) => sendRequest(api, path, options, token));
}

/** Makes a request with the visitor's token. If the token is refused (401), makes it once more with a new one. */
export async function authorized<T>({ credential }: Api, send: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = await credential.token().catch((error: unknown) => {
    throw unreachable(error);
  });
  try {
    return await send(token);
  } catch (error) {
    if (token === undefined || !(error instanceof HttpError && error.status === 401)) throw error;
    const renewed = await credential.token(token).catch(() => undefined);
    if (renewed === undefined || renewed === token) throw error;
    return send(renewed);
  }
}

async function sendRequest(
  api: Api,
  path: string,
  options: RequestOptions,
  token: string | undefined,
): Promise<Response> {
  const { json, accept, failure = "HTTP" } = options;
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = new Headers();
  // The content type is set only with a body, because without it a GET to another origin needs no preflight.
  if (body !== undefined) headers.set("content-type", "application/json");
  if (accept !== undefined) headers.set("accept", accept);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const outlivesPage =
    options.outlivesPage === true && !(body && body.length > KEEPALIVE_CHARS) && "keepalive" in Request.prototype;
  const limit = options.signal ? headersLimit() : undefined;
  const signals = options.signal && limit ? [options.signal, limit.signal] : [AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
  const init: RequestInit = {
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    headers,
    cache: "no-store",
    credentials: api.credentials,
    keepalive: outlivesPage,
    signal: AbortSignal.any([api.signal, ...signals]),
    ...(body === undefined ? {} : { body }),
  };
  options.onSent?.(outlivesPage);
  try {
    const response = await api.fetch(`${api.base}/${path}`, init).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (response.ok) return response;
    throw await failureOf(response, failure);
  } finally {
    limit?.clear();
  }
}

/** Like {@link request}, but reads the response's JSON. */
export async function requestJson(api: Api, path: string, options: RequestOptions = {}): Promise<unknown> {
  const response = await request(api, path, options);
  return response.json().catch((error: unknown) => {
    throw new HttpError(`HTTP ${response.status} ${response.statusText}: the response is not JSON`, {
      status: response.status,
      cause: error,
    });
  });
}

/** A time-out for the headers of a response, or for the text of its failure. An answer may take longer. */
function headersLimit(): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException("The backend did not respond in time.", "TimeoutError"));
  const timer = setTimeout(expire, STREAM_HEADERS_TIMEOUT_MS);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function failureOf(response: Response, failure: "HTTP" | "Upstream"): Promise<HttpError> {
  const body = await response.text().catch(() => "");
  const { status, statusText } = response;
  const message = failure === "HTTP" ? `HTTP ${status} ${statusText}: ${body}` : `Upstream ${status}: ${body}`;
  const retryAfterMs = retryAfter(response.headers.get("retry-after"));
  return new HttpError(message, { status, code: problemCodeOf(body), retryAfterMs });
}

/** The milliseconds until the time in `Retry-After`, which is in seconds or a date. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, RETRY_AFTER_MAX_MS) : undefined;
}
