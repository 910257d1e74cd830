import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type AddressFilter, isWanted, pageAddress } from "../addresses.ts";
import { UnreadablePage } from "../content/page-text.ts";
import { discard, request, type SiteOptions } from "./request.ts";

/** What a source names. */
export interface Listing {
  readonly addresses: readonly string[];
  /** Whether it names all: a page that an incomplete listing lacks is not gone. */
  readonly isWhole: boolean;
  readonly failures: readonly { readonly url: string; readonly code: string; readonly reason: string }[];
  readonly skipped: readonly { readonly url: string; readonly reason: string }[];
}

/** Takes an address that a sitemap names. */
type Found = (location: string, isSitemap: boolean) => void;

const mostSitemaps = 1_000;
const deepestIndex = 3;
/** An index of many sitemaps has as much as so many of the largest. */
const mostFullSitemaps = 20;
/** The rest of a text that a tag may continue: an address has at most 2,048 characters. */
const longestTag = 8_192;
const mostSkipped = 1_000;

/** Reads a sitemap, or an index with its sitemaps. Throws when the sitemap itself cannot be read. */
export async function readSitemap(sitemap: string, filter: AddressFilter, options: SiteOptions): Promise<Listing> {
  const { limits, signal } = options;
  const { origin } = new URL(sitemap);
  const addresses = new Set<string>();
  const failures: { readonly url: string; readonly code: string; readonly reason: string }[] = [];
  const skipped: { readonly url: string; readonly reason: string }[] = [];
  const sitemaps = new Map([[sitemap, 0]]);
  let bytesLeft = limits.sitemapBytes * mostFullSitemaps;

  // A map goes on to the entries that are added while it is walked through.
  for (const [url, depth] of sitemaps) {
    signal.throwIfAborted();
    const take = (location: string, isSitemap: boolean): void => {
      const address = pageAddress(location, url);
      if (address === undefined || new URL(address).origin !== origin) {
        const reason = `It is not on ${origin}.`;
        if (skipped.length < mostSkipped) skipped.push({ url: location.slice(0, 2_048), reason });
      } else if (isSitemap) {
        if (depth >= deepestIndex || sitemaps.size >= mostSitemaps)
          throw tooMany(`It lists more than ${mostSitemaps} sitemaps, or is nested too deep.`);
        sitemaps.set(address, sitemaps.get(address) ?? depth + 1);
      } else if (isWanted(address, filter)) {
        if (addresses.size >= limits.pages && !addresses.has(address)) {
          const most = limits.pages.toLocaleString("en");
          throw tooMany(`It lists more than ${most} pages: only the first are read. Select pages with «include».`);
        }
        addresses.add(address);
      }
    };
    try {
      bytesLeft -= await readOne(url, Math.min(limits.sitemapBytes, bytesLeft), options, take);
    } catch (error) {
      if (!(error instanceof UnreadablePage)) throw error;
      if (url === sitemap && addresses.size === 0 && sitemaps.size === 1) throw error;
      failures.push({ url, code: error.code, reason: error.message });
      if (error.code === "too_many" && addresses.size >= limits.pages) break;
    }
  }
  return { addresses: [...addresses], isWhole: failures.length === 0, failures, skipped };
}

const tooMany = (reason: string): UnreadablePage => new UnreadablePage("too_many", reason);

/** Reads one sitemap as it comes, and returns how many bytes it had. */
async function readOne(url: string, mostBytes: number, options: SiteOptions, found: Found): Promise<number> {
  const answer = await request(url, {
    ...options,
    timeoutMs: options.limits.sitemapMs,
    accept: "application/xml, text/xml, text/plain;q=0.5, */*;q=0.1",
  });
  const chunks = answer.chunks();
  if (!answer.response.ok) {
    await discard(answer.response);
    throw new UnreadablePage("http", `The server returns ${answer.response.status} for the sitemap.`);
  }
  let bytes = 0;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = "";
  let kind: ListKind | undefined;
  for await (const chunk of unzip(chunks)) {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new UnreadablePage("too_large", `The sitemap is larger than ${Math.round(mostBytes / 1_000_000)} MB.`);
    }
    decoder ??= new TextDecoder(chunk[0] === 0xff ? "utf-16le" : chunk[0] === 0xfe ? "utf-16be" : "utf-8");
    rest += decoder.decode(chunk, { stream: true });
    kind ??= kindOf(rest);
    rest = kind === undefined ? rest.slice(-longestTag) : takeLocations(rest, kind, found);
  }
  if (kind === undefined) {
    throw new UnreadablePage("not_sitemap", "It is not a sitemap: it has neither «urlset» nor «sitemapindex».");
  }
  rest = takeLocations(`${rest}\n`, kind, found);
  if (kind !== "lines" && !rootEnd.test(rest)) {
    throw new UnreadablePage("not_sitemap", "The sitemap was cut off: it has no end. Pages that it lacks are kept.");
  }
  return bytes;
}

/** XML with the prefix of its tags, or an address on each line. */
type ListKind = { readonly isIndex: boolean; readonly prefix: string } | "lines";

const rootEnd = /<\/(?:[\w.-]+:)?(?:sitemapindex|urlset)\s*>|<(?:[\w.-]+:)?(?:sitemapindex|urlset)\s[^<>]*\/>/;

function kindOf(text: string): ListKind | undefined {
  const root = /<(?:([\w.-]+:))?(sitemapindex|urlset)[\s>]/.exec(text);
  if (root !== null) return { isIndex: root[2] === "sitemapindex", prefix: root[1] ?? "" };
  return /^\s*https?:\/\/\S+\s/.test(text) ? "lines" : undefined;
}

/**
 * Tells each address that is complete, and returns the rest of the text. Entities of the document's own are never expanded:
 * only the five of XML and numbers are known. Addresses of pictures and videos have another prefix.
 */
function takeLocations(text: string, kind: ListKind, found: Found): string {
  let end = 0;
  if (kind === "lines") {
    for (const match of text.matchAll(/([^\r\n]*)[\r\n]+/g)) {
      const line = match[1]?.trim() ?? "";
      if (line !== "") found(line, false);
      end = match.index + match[0].length;
    }
  } else {
    const { prefix, isIndex } = kind;
    for (const match of text.matchAll(
      /<([\w.-]+:)?loc(?:\s[^<>]*)?>\s*(?:<!\[CDATA\[([^\]]*)\]\]>|([^<]*))\s*<\/(?:[\w.-]+:)?loc\s*>/g,
    )) {
      end = match.index + match[0].length;
      const location = (match[2] ?? decodeXml(match[3] ?? "")).trim();
      if ((match[1] ?? "") === prefix && location !== "") found(location, isIndex);
    }
  }
  return text.slice(Math.max(end, text.length - longestTag));
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Decompresses what begins as gzip does, whatever its name and its headers say. */
async function* unzip(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  async function* all(start: Uint8Array): AsyncGenerator<Uint8Array> {
    yield start;
    yield* chunks;
  }
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all(first.value);
    return;
  }
  const gunzip = createGunzip();
  // The error of a broken archive, or of the response, reaches the loop below.
  const source = Readable.from(all(first.value));
  pipeline(source, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw new UnreadablePage("not_sitemap", `The sitemap's compression is broken: ${error.message}.`);
    }
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
