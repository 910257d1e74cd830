import manifest from "@nitka/knowledge/package.json" with { type: "json" };
import { pageAddress } from "../addresses.ts";
import { UnreadablePage } from "../content/page-text.ts";

export const usualLimits = {
  pageBytes: 10_000_000,
  pageMs: 15_000,
  /** Of one sitemap after decompression: what sitemaps.org allows. */
  sitemapBytes: 52_428_800,
  sitemapMs: 120_000,
  /** Of one source. */
  pages: 100_000,
  /** The longest `Retry-After` that is waited for. */
  retryAfterMs: 60_000,
  /** A source whose server has failed so often in a row is left alone until the next reading. */
  failuresInRow: 20,
  /** How long a reading that was killed keeps others from reading. */
  leaseMs: 60_000,
};

/** What bounds a reading. Tests make them smaller. */
export type ReadingLimits = Readonly<typeof usualLimits>;

const userAgent = `NitkaBot/${manifest.version} (+https://www.npmjs.com/package/@nitka/knowledge)`;
const mostRedirects = 5;

export interface SiteOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  readonly limits: ReadingLimits;
}

interface RequestOptions extends Pick<SiteOptions, "fetch" | "signal"> {
  /** For the request and its body. */
  readonly timeoutMs: number;
  readonly accept: string;
  /** Further headers for an address, after redirects too. */
  headersFor?(address: string): Readonly<Record<string, string>>;
  /** Throws where an address that a redirect leads to may not be read. */
  check?(address: string): void;
}

export interface Answer {
  /** After redirects. */
  readonly url: string;
  readonly response: Response;
  /** Reads the body as it comes, and fails as `request` does. */
  chunks(): AsyncGenerator<Uint8Array>;
}

/** Asks for an address, and follows redirects inside of its origin. Failures are `UnreadablePage`, but for the caller's abort. */
export async function request(address: string, options: RequestOptions): Promise<Answer> {
  const { origin } = new URL(address);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  let url = address;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const headers = { "user-agent": userAgent, accept: options.accept, ...options.headersFor?.(url) };
    let response: Response;
    try {
      response = await options.fetch(url, { headers, signal, redirect: "manual" });
    } catch (error) {
      throw failureOf(error, options);
    }
    const header = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || header === null) {
      return { url, response, chunks: () => chunksOf(response, options) };
    }
    await discard(response);
    // Many servers send the address as it is written. `fetch` gives each byte of it as a character.
    const location = Buffer.from(header, "latin1").toString();
    const target = pageAddress(location, url);
    if (target === undefined || new URL(target).origin !== origin) {
      throw new UnreadablePage("redirect", `It redirects to ${location.slice(0, 200)}, which is not on ${origin}.`);
    }
    options.check?.(target);
    url = target;
  }
  throw new UnreadablePage("redirect", `It redirects more than ${mostRedirects} times, last to ${url}.`);
}

/** Ends a response whose body is not read, so that its connection is free. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** The whole body, unless it is larger than `limit` bytes. */
export async function readBody(answer: Answer, limit: number): Promise<Uint8Array> {
  const tooLarge = new UnreadablePage("too_large", `It is larger than ${Math.round(limit / 1_000_000)} MB.`);
  if (Number(answer.response.headers.get("content-length") ?? 0) > limit) {
    await discard(answer.response);
    throw tooLarge;
  }
  const body = await readStart(answer, limit + 1);
  if (body.length > limit) throw tooLarge;
  return body;
}

/** The body, or its first bytes: no fewer than `least`, if it has so many. */
export async function readStart(answer: Answer, least: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.chunks()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= least) break;
  }
  return Buffer.concat(chunks);
}

async function* chunksOf(response: Response, options: RequestOptions): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk;
  } catch (error) {
    throw failureOf(error, options);
  } finally {
    await discard(response);
  }
}

function failureOf(error: unknown, options: RequestOptions): unknown {
  if (options.signal.aborted || error instanceof UnreadablePage) return error;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new UnreadablePage("timeout", `It did not arrive within ${options.timeoutMs / 1_000} s.`);
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words =
    cause instanceof Error ? cause.message || ("code" in cause ? String(cause.code) : cause.name) : String(cause);
  return new UnreadablePage("unreachable", `The server cannot be reached: ${words}.`);
}

/** How long `Retry-After` asks to wait, in seconds or as a date. */
export function retryAfterMs(response: Response, now: Date): number | undefined {
  const value = response.headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
