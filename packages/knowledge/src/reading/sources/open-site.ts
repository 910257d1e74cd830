import { formatOfType } from "../content/document-format.ts";
import type { PageVersion } from "../../store/knowledge-store.ts";
import { forbidsIndexing, type PageText, UnreadablePage } from "../content/page-text.ts";
import type { OpenedSource, Visit, VisitOptions } from "./opened-source.ts";
import { discard, readBody, type ReadingLimits, request, retryAfterMs } from "./request.ts";
import { parseRobots, robotName, robotsBytes, type RobotsRules } from "./robots.ts";
import type { Listing } from "./sitemap.ts";
import { pageAddress } from "../addresses.ts";

export interface SiteOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  readonly limits: ReadingLimits;
}

/** A page that may be asked for again after a while. */
export class BusyPage extends UnreadablePage {
  readonly waitMs: number;

  constructor(code: string, reason: string, waitMs: number) {
    super(code, reason);
    this.waitMs = waitMs;
  }
}

class ForbiddenPage extends Error {}

/** Pages of a site, or of a few, that a listing names. The rules of each origin's robots.txt are read first. */
export async function openSite(listing: Listing, options: SiteOptions): Promise<OpenedSource> {
  const rules = new Map<string, RobotsRules>();
  for (const origin of new Set(listing.addresses.map((address) => new URL(address).origin))) {
    rules.set(origin, await readRobots(origin, options));
  }
  const check = (address: string): void => {
    if (rules.get(new URL(address).origin)?.(address) === false) throw new ForbiddenPage();
  };
  return {
    ...listing,
    async visit(address, visitOptions) {
      try {
        check(address);
        return await visitPage(address, check, options, visitOptions);
      } catch (error) {
        if (error instanceof ForbiddenPage) return { outcome: "skipped", reason: "The site's robots.txt forbids it." };
        throw error;
      }
    },
  };
}

/** A robots.txt that is missing allows all; one that cannot be read forbids all: RFC 9309, 2.3.1. */
async function readRobots(origin: string, { fetch, signal, limits }: SiteOptions): Promise<RobotsRules> {
  const allowed: RobotsRules = () => true;
  try {
    const answer = await request(`${origin}/robots.txt`, {
      fetch,
      signal,
      timeoutMs: limits.pageMs,
      accept: "text/plain, */*;q=0.1",
    });
    const { status, ok } = answer.response;
    if (!ok) {
      await discard(answer.response);
      if (status < 500 && status !== 429) return allowed;
      throw new UnreadablePage("robots", `${origin}/robots.txt is answered by ${status}, so nothing may be read.`);
    }
    let text = "";
    let bytes = 0;
    const decoder = new TextDecoder();
    for await (const chunk of answer.chunks()) {
      bytes += chunk.length;
      text += decoder.decode(chunk.subarray(0, Math.max(chunk.length - Math.max(bytes - robotsBytes, 0), 0)), {
        stream: true,
      });
      if (bytes > robotsBytes) break;
    }
    // What was cut off in the middle of a line would say something else.
    return parseRobots(bytes > robotsBytes ? text.slice(0, text.lastIndexOf("\n") + 1) : text);
  } catch (error) {
    if (error instanceof UnreadablePage && error.code === "redirect") return allowed;
    throw error;
  }
}

async function visitPage(
  address: string,
  check: (address: string) => void,
  { fetch, clock, limits }: SiteOptions,
  { signal, versionOf, isCanonical = false }: VisitOptions,
): Promise<Visit> {
  const answer = await request(address, {
    fetch,
    signal,
    check,
    timeoutMs: limits.pageMs,
    accept: "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf, */*;q=0.1",
    headersFor(url) {
      const version = versionOf(url);
      return {
        ...(version?.etag === undefined ? {} : { "if-none-match": version.etag }),
        ...(version?.lastModified === undefined ? {} : { "if-modified-since": version.lastModified }),
      };
    },
  });
  const { url, response } = answer;
  const { status, headers } = response;
  const etag = headers.get("etag");
  const lastModified = headers.get("last-modified");
  const version = { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
  if (status !== 200) {
    await discard(response);
    const known = versionOf(url);
    if (status === 304 && known !== undefined)
      return { outcome: "unchanged", url, version: versionFrom(known, version) };
    if (status === 404 || status === 410) return { outcome: "gone" };
    throw refusal(response, clock());
  }
  const rules = robotsHeader(headers);
  if (forbidsIndexing(rules)) {
    await discard(response);
    return { outcome: "skipped", reason: "Its X-Robots-Tag says noindex." };
  }
  const contentType = headers.get("content-type") ?? undefined;
  const format = formatOfType(contentType, url);
  if (format === undefined) {
    await discard(response);
    throw new UnreadablePage("not_text", `Its type is ${contentType}: HTML, Markdown, text and PDF are read.`);
  }
  const bytes = await readBody(answer, limits.pageBytes);
  const { readDocument } = await import("../content/read-document.ts");
  const page = await readDocument({ bytes, format, url, contentType }, signal);
  if (isBrowserCheck(page)) throw new UnreadablePage("blocked", "The site asks for a check of the browser.");
  if (page.noindex) return { outcome: "skipped", reason: "The page says noindex." };
  const canonical = isCanonical || page.canonical === undefined ? undefined : pageAddress(page.canonical, url);
  if (canonical !== undefined && canonical !== url && new URL(canonical).origin === new URL(url).origin) {
    return { outcome: "skipped", reason: `Its canonical address is ${canonical}.`, canonical };
  }
  return { outcome: "read", url, version, page };
}

function versionFrom({ etag, lastModified }: PageVersion, newer: PageVersion): PageVersion {
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }), ...newer };
}

function refusal(response: Response, now: Date): UnreadablePage {
  const { status } = response;
  const isBlocked = [401, 403, 429].includes(status) || response.headers.get("cf-mitigated") !== null;
  const code = isBlocked ? "blocked" : "http";
  const reason = isBlocked ? `The site refuses it (${status}).` : `It is answered by ${status}.`;
  const waitMs = status === 429 || status === 503 ? retryAfterMs(response, now) : undefined;
  return waitMs === undefined ? new UnreadablePage(code, reason) : new BusyPage(code, reason, waitMs);
}

/** The rules of `X-Robots-Tag` for every robot and for ours: a rule may begin with a robot's name. */
function robotsHeader(headers: Headers): string {
  const rules: string[] = [];
  let isOurs = true;
  for (const part of (headers.get("x-robots-tag") ?? "").toLowerCase().split(",")) {
    const [, name, rule = ""] = /^\s*(?:([\w-]+)\s*:)?\s*(.*)$/.exec(part) ?? [];
    if (
      name !== undefined &&
      !["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"].includes(name)
    ) {
      isOurs = name === robotName;
    }
    if (isOurs) rules.push(rule);
  }
  return rules.join(",");
}

/** What stands in place of a page while a service tells robots from people: a few words with a title of their own. */
function isBrowserCheck(page: PageText): boolean {
  const letters = page.blocks.reduce((sum, block) => sum + block.text.length, 0);
  return (
    letters < 1_000 &&
    /just a moment|attention required|checking your browser|verify(ing)? (that )?you are (a )?human|ddos-guard|ddos protection|проверка браузера|вы не робот/i.test(
      `${page.title} ${page.blocks.map(({ text }) => text).join(" ")}`,
    )
  );
}
