import { formatOfType } from "../content/document-format.ts";
import { forbidsIndexing, type PageText, UnreadablePage } from "../content/page-text.ts";
import type { OpenedSource, Visit, VisitOptions } from "./opened-source.ts";
import { discard, readBody, readStart, request, retryAfterMs, type SiteOptions } from "./request.ts";
import { parseRobots, robotName, robotsBytes, type RobotsRules } from "./robots.ts";
import type { Listing } from "./sitemap.ts";
import { pageAddress } from "../addresses.ts";

/** Pages of a site, or of a few, that a listing names. The rules of each origin's robots.txt are read first. */
export async function openSite(listing: Listing, options: SiteOptions): Promise<OpenedSource> {
  const rules = new Map<string, RobotsRules | UnreadablePage>();
  const origins = new Set(listing.addresses.map((address) => new URL(address).origin));
  for (const origin of origins) {
    const own = readRobots(origin, options);
    // Where one of several origins fails, each of its pages does, and those of the others are read.
    rules.set(origin, await (origins.size === 1 ? own : own.catch((error: UnreadablePage) => error)));
  }
  const check = (address: string): void => {
    const own = rules.get(new URL(address).origin);
    if (own instanceof Error) throw own;
    if (own?.(address) === false) throw new UnreadablePage("forbidden", "The site's robots.txt forbids it.");
  };
  return {
    ...listing,
    async visit(address, visitOptions) {
      try {
        check(address);
        return await visitPage(address, check, options, visitOptions);
      } catch (error) {
        if (!(error instanceof UnreadablePage && error.code === "forbidden")) throw error;
        return { outcome: "skipped", reason: error.message };
      }
    },
  };
}

/** A robots.txt that is missing allows all; one that cannot be read forbids all: RFC 9309, 2.3.1. */
async function readRobots(origin: string, { fetch, signal, limits }: SiteOptions): Promise<RobotsRules> {
  const allowed: RobotsRules = () => true;
  try {
    const accept = "text/plain, */*;q=0.1";
    const answer = await request(`${origin}/robots.txt`, { fetch, signal, timeoutMs: limits.pageMs, accept });
    const { status, ok } = answer.response;
    if (!ok) {
      await discard(answer.response);
      if (status < 500 && status !== 429) return allowed;
      throw new UnreadablePage("robots", `${origin}/robots.txt returns ${status}, so no page may be read.`);
    }
    const bytes = await readStart(answer, robotsBytes + 1);
    const text = new TextDecoder().decode(bytes.subarray(0, robotsBytes));
    // What was cut off in the middle of a line would say something else.
    return parseRobots(bytes.length > robotsBytes ? text.slice(0, text.lastIndexOf("\n") + 1) : text);
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
    if (status === 304 && versionOf(url) !== undefined) return { outcome: "unchanged", url, version };
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
    throw new UnreadablePage("not_text", `Its type is ${contentType}: only HTML, Markdown, text and PDF are read.`);
  }
  const bytes = await readBody(answer, limits.pageBytes);
  const { readDocument } = await import("../content/read-document.ts");
  const page = await readDocument({ bytes, format, url, contentType }, signal);
  if (isBrowserCheck(page)) throw new UnreadablePage("blocked", "The site requires a check of the browser.");
  if (page.noindex) return { outcome: "skipped", reason: "The page says noindex." };
  const canonical = isCanonical || page.canonical === undefined ? undefined : pageAddress(page.canonical, url);
  if (canonical !== undefined && canonical !== url && new URL(canonical).origin === new URL(url).origin) {
    return { outcome: "skipped", reason: `Its canonical address is ${canonical}.`, canonical };
  }
  return { outcome: "read", url, version, page };
}

function refusal(response: Response, now: Date): UnreadablePage {
  const { status } = response;
  const isBlocked = [401, 403, 429].includes(status) || response.headers.get("cf-mitigated") !== null;
  const code = isBlocked ? "blocked" : "http";
  const reason = isBlocked ? `The site refuses it (${status}).` : `The server returns ${status}.`;
  const waitMs = status === 429 || status === 503 ? retryAfterMs(response, now) : undefined;
  return new UnreadablePage(code, reason, waitMs);
}

/** What a colon stands behind without being a robot. */
const valuedRules = new Set(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]);

/** The rules of `X-Robots-Tag` for every robot and for ours: a rule may begin with a robot's name. */
function robotsHeader(headers: Headers): string {
  const rules: string[] = [];
  let isOurs = true;
  for (const part of (headers.get("x-robots-tag") ?? "").toLowerCase().split(",")) {
    const [, name, rule = ""] = /^\s*(?:([\w-]+)\s*:)?\s*(.*)$/.exec(part) ?? [];
    if (name !== undefined && !valuedRules.has(name)) isOurs = name === robotName;
    if (isOurs) rules.push(rule);
  }
  return rules.join(",");
}

const browserChecks =
  /just a moment|attention required|checking your browser|verify(ing)? (that )?you are (a )?human|ddos-guard|ddos protection|проверка браузера|вы не робот/i;

/** What stands in place of a page while a service tells robots from people: a few words with a title of their own. */
function isBrowserCheck({ title, blocks }: PageText): boolean {
  const text = blocks.map((block) => block.text).join(" ");
  return text.length < 1_000 && browserChecks.test(`${title} ${text}`);
}
