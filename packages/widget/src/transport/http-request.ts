import type { Credential } from "./credential.ts";
import { HttpError, problemCodeOf, unreachable } from "./http-error.ts";
import { REQUEST_TIMEOUT_MS, STREAM_HEADERS_TIMEOUT_MS } from "../timings.ts";

/** A backend's calls as a base address and the visitor's credentials. */
export interface Api {
  /** Without a trailing slash. */
  readonly base: string;
  readonly credentials: RequestCredentials;
  /** Its token is sent as `Authorization: Bearer`. */
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  /** Aborts every call: the widget has been taken away. */
  readonly signal: AbortSignal;
}

interface RequestOptions {
  /** Sent as JSON by POST; without it the call is a GET, unless it has a method of its own. */
  readonly json?: unknown;
  readonly method?: "DELETE";
  readonly accept?: string;
  /** Ends a call whose answer is a stream or a file: what it may take as long as it likes to send. */
  readonly signal?: AbortSignal;
  /** The call is made to its end also when the page is left meanwhile. */
  readonly outlivesPage?: boolean;
  /** How a failure begins. */
  readonly failure?: "HTTP" | "Upstream";
}

/** Makes a call. An answer that is not OK rejects with the status and the body in the error's text. */
export function request(api: Api, path: string, options: RequestOptions = {}): Promise<Response> {
  return authorized(api, (token) => send(api, path, options, token));
}

/** Makes a call with the visitor's token, and once more with a new one if that is refused. */
export async function authorized<T>({ credential }: Api, call: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = await credential.token().catch((error: unknown) => {
    throw unreachable(error);
  });
  try {
    return await call(token);
  } catch (error) {
    if (token === undefined || !(error instanceof HttpError && error.status === 401)) throw error;
    const renewed = await credential.renewed(token).catch(() => undefined);
    if (renewed === undefined) throw error;
    return call(renewed);
  }
}

async function send(api: Api, path: string, options: RequestOptions, token: string | undefined): Promise<Response> {
  const { json, accept, failure = "HTTP" } = options;
  const headers = new Headers();
  // Only what has a body bears its type, so that a GET to another origin needs no preflight.
  if (json !== undefined) headers.set("content-type", "application/json");
  if (accept !== undefined) headers.set("accept", accept);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const limit = options.signal ? headersLimit() : undefined;
  const ends = options.signal && limit ? [options.signal, limit.signal] : [AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
  const init: RequestInit = {
    method: options.method ?? (json === undefined ? "GET" : "POST"),
    headers,
    cache: "no-store",
    credentials: api.credentials,
    keepalive: options.outlivesPage ?? false,
    signal: AbortSignal.any([api.signal, ...ends]),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  };
  // The page may have replaced `fetch` since: `api.fetch` looks it up at each call.
  const response = await api
    .fetch(`${api.base}/${path}`, init)
    .catch((error: unknown) => {
      throw unreachable(error);
    })
    .finally(() => limit?.clear());
  if (response.ok) return response;
  throw await failureOf(response, failure);
}

/** As `request`, for the JSON of the answer. */
export async function requestJson(api: Api, path: string, options: RequestOptions = {}): Promise<unknown> {
  const response = await request(api, path, options);
  return response.json().catch((error: unknown) => {
    throw new HttpError(`HTTP ${response.status} ${response.statusText}: the answer is not JSON`, {
      status: response.status,
      cause: error,
    });
  });
}

/** Aborts a call whose headers do not come; what comes after them may take its time. */
function headersLimit(): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException("The backend did not answer in time.", "TimeoutError"));
  const timer = setTimeout(expire, STREAM_HEADERS_TIMEOUT_MS);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function failureOf(response: Response, failure: "HTTP" | "Upstream"): Promise<HttpError> {
  const body = await response.text().catch(() => "");
  const { status, statusText } = response;
  const message = failure === "HTTP" ? `HTTP ${status} ${statusText}: ${body}` : `Upstream ${status}: ${body}`;
  return new HttpError(message, { status, code: problemCodeOf(body) });
}
