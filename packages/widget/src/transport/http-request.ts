import { HttpError, problemCodeOf, unreachable } from "./http-error.ts";

/** A backend's calls as a base address and the visitor's credentials. */
export interface Api {
  /** Without a trailing slash. */
  readonly base: string;
  readonly credentials: RequestCredentials;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  readonly fetch: typeof fetch;
  /** Aborts every call: the widget has been taken away. */
  readonly signal: AbortSignal;
}

interface RequestOptions {
  /** Sent as JSON by POST; without it the call is a GET. */
  readonly json?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** The call is made to its end also when the page is left meanwhile. */
  readonly outlivesPage?: boolean;
  /** How a failure begins. */
  readonly failure?: "HTTP" | "Upstream";
}

/** Calls that are not streams are given up after this long, so that no part of the view waits for ever. */
const TIMEOUT_MS = 30_000;

/** Makes a call. An answer that is not OK rejects with the status and the body in the error's text. */
export async function request(api: Api, path: string, options: RequestOptions = {}): Promise<Response> {
  const { json, accept, failure = "HTTP" } = options;
  const headers = new Headers();
  // Only what has a body bears its type, so that a GET to another origin needs no preflight.
  if (json !== undefined) headers.set("content-type", "application/json");
  if (accept !== undefined) headers.set("accept", accept);
  if (api.token !== undefined) headers.set("authorization", `Bearer ${api.token}`);
  const init: RequestInit = {
    method: json === undefined ? "GET" : "POST",
    headers,
    cache: "no-store",
    credentials: api.credentials,
    keepalive: options.outlivesPage ?? false,
    signal: AbortSignal.any([api.signal, options.signal ?? AbortSignal.timeout(TIMEOUT_MS)]),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  };
  // The page may have replaced `fetch` since: `api.fetch` looks it up at each call.
  const response = await api.fetch(`${api.base}/${path}`, init).catch((error: unknown) => {
    throw unreachable(error);
  });
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

async function failureOf(response: Response, failure: "HTTP" | "Upstream"): Promise<HttpError> {
  const body = await response.text().catch(() => "");
  const { status, statusText } = response;
  const message = failure === "HTTP" ? `HTTP ${status} ${statusText}: ${body}` : `Upstream ${status}: ${body}`;
  return new HttpError(message, { status, code: problemCodeOf(body) });
}
