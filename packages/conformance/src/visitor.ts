import { excerpt, Nonconformance } from "./nonconformance.ts";

/** A request and its whole response. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RequestOptions {
  readonly json?: unknown;
  /** In place of `json`: text that is sent as JSON, or a form. */
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A visitor as a backend knows one: by the cookies that it sets, or by a bearer token. */
export interface Visitor {
  readonly send: (method: string, url: URL, options?: RequestOptions) => Promise<Exchange>;
  /** The response before its body is read. */
  readonly open: (method: string, url: URL, options?: RequestOptions) => Promise<OpenResponse>;
  /** The token of the config's `visitor`, for backends that set no cookie. */
  readonly useToken: (token: string) => void;
  /** This visitor's cookies, or the token, for a request of the visitor whom the host names in the same browser. */
  readonly lend: () => RequestOptions;
  /** Whether the backend can tell this visitor from another one. */
  readonly isKnown: () => boolean;
}

export interface OpenResponse {
  readonly request: string;
  readonly response: Response;
  /** Closes the connection. */
  readonly drop: () => void;
}

/** How long a backend has until its response begins, and then to its end where that is no stream. */
const RESPONSE_MS = 30_000;

/** A backend that takes no more requests says when it will. Longer than this is not waited for. */
const RETRY_SECONDS = 60;

const TRIES = 4;

export interface VisitorOptions {
  /** Of the host, which names the visitor on every device. */
  readonly token?: string | undefined;
  /** The origin of the page, as its browser names it. */
  readonly page?: string | undefined;
  /** @default 30_000 */
  readonly responseMs?: number | undefined;
}

export function createVisitor({ token, page, responseMs = RESPONSE_MS }: VisitorOptions): Visitor {
  const cookies = new Map<string, string>();
  let bearer = token;

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function open(method: string, url: URL, options: RequestOptions = {}): Promise<OpenResponse> {
    const { json, body = json === undefined ? undefined : JSON.stringify(json) } = options;
    const request = `${method} ${url.href}${typeof body === "string" ? ` ${excerpt(body)}` : ""}`;
    for (let tries = 1; ; tries += 1) {
      const gone = new AbortController();
      const late = setTimeout(() => gone.abort(), responseMs);
      const response = await fetch(url, {
        method,
        redirect: "manual",
        signal: gone.signal,
        headers: {
          ...(page !== undefined && { origin: page }),
          ...(typeof body === "string" && { "content-type": "application/json" }),
          ...(cookies.size > 0 && { cookie: cookieHeader() }),
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
          ...options.headers,
        },
        ...(body !== undefined && { body }),
      }).catch((error: unknown) => {
        const reason = gone.signal.aborted ? `nothing for ${responseMs / 1000} s` : reasonOf(error);
        throw new Nonconformance(request, "a response", reason);
      });
      clearTimeout(late);
      for (const line of response.headers.getSetCookie()) keepCookie(line);
      const wait = Number(response.headers.get("retry-after"));
      if (response.status !== 429 || !(wait <= RETRY_SECONDS) || tries === TRIES) {
        return { request, response, drop: () => gone.abort() };
      }
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 1) * 1000));
    }
  }

  function keepCookie(line: string): void {
    const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*max-age=0/i.test(line) || value === "") cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    open,
    send: async (method, url, options) => {
      const opened = await open(method, url, options);
      const { request, response } = opened;
      return { request, status: response.status, headers: response.headers, text: await wholeText(opened, responseMs) };
    },
    useToken: (given) => {
      bearer ??= given;
    },
    lend: () => (cookies.size > 0 ? { headers: { cookie: cookieHeader() } } : { json: { token: bearer } }),
    isKnown: () => cookies.size > 0 || bearer !== undefined,
  };
}

/** The text of a response that is no stream. */
export async function wholeText({ request, response, drop }: OpenResponse, ms = RESPONSE_MS): Promise<string> {
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    drop();
  }, ms);
  try {
    return await response.text();
  } catch (error) {
    const reason = isLate ? `no end of its body within ${ms / 1000} s` : reasonOf(error);
    throw new Nonconformance(request, "a whole response", reason);
  } finally {
    clearTimeout(late);
  }
}

/** Why a request has failed: `fetch` itself says only that it did. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string } };
  return cause?.message || message || String(error);
}
