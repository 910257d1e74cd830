import { excerpt, Nonconformance } from "./nonconformance.ts";

/** A request and its complete response. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RequestOptions {
  readonly json?: unknown;
  /** Instead of `json`: text that is sent as JSON, or a form. */
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A visitor, whom the backend identifies by its cookies or by a bearer token. */
export interface Visitor {
  readonly send: (method: string, url: URL, options?: RequestOptions) => Promise<Exchange>;
  /** The response before its body is read. */
  readonly open: (method: string, url: URL, options?: RequestOptions) => Promise<OpenResponse>;
  /** Uses the token of the config's `visitor`, for backends that set no cookie. */
  readonly useToken: (token: string) => void;
  /**
   * This visitor's cookies, or the token, for a request of the visitor whom the host identifies in the same browser.
   */
  readonly lend: () => RequestOptions;
  /** Whether the backend can distinguish this visitor from others. */
  readonly isKnown: () => boolean;
}

export interface OpenResponse {
  readonly request: string;
  readonly response: Response;
  /** Closes the connection. */
  readonly drop: () => void;
}

/** The time limit in milliseconds for the beginning of a response, and for its end if it is not a stream. */
const RESPONSE_MS = 30_000;

/** The longest `Retry-After`, in seconds, that is waited for when a backend accepts no more requests. */
const RETRY_SECONDS = 60;

const TRIES = 4;

export interface VisitorOptions {
  /** The host's token, which identifies the visitor on every device. */
  readonly token?: string | undefined;
  /** The origin of the page, as its browser sends it. */
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

/** The text of a response that is not a stream. */
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

/** The reason why a request failed: the message of `fetch` itself does not contain it. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string } };
  return cause?.message || message || String(error);
}
