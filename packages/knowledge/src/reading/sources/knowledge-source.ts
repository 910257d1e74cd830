import { type AddressFilter, isWanted, pageAddress } from "../addresses.ts";
import { UnreadablePage } from "../content/page-text.ts";
import { openFolder } from "./open-folder.ts";
import { openSite } from "./open-site.ts";
import type { OpenedSource } from "./opened-source.ts";
import type { SiteOptions } from "./request.ts";
import { readSitemap } from "./sitemap.ts";

/**
 * Where pages come from: the addresses of a sitemap, a list of addresses, or the documents of a folder, whose addresses are
 * `url` and their relative path. `include` and `exclude` match path and query as a whole; `*` stands for anything.
 */
export type KnowledgeSource = AddressFilter &
  (
    | { readonly sitemap: string }
    | { readonly pages: readonly string[] }
    /** `folder` is an absolute path. */
    | { readonly folder: string; readonly url: string }
  );

/** What a source is called in the store and towards operators. A source that is written again under its key is the same. */
function sourceKey(source: KnowledgeSource): string {
  if ("sitemap" in source) return `sitemap ${source.sitemap}`;
  if ("folder" in source) return `folder ${source.url}`;
  const origins = new Set(source.pages.map((page) => URL.parse(page)?.origin ?? page));
  return `pages ${[...origins].join(" ")}`;
}

/** The keys of all sources: of several with the same key each but the first has a number. */
export function sourceKeys(sources: readonly KnowledgeSource[]): readonly string[] {
  const seen = new Map<string, number>();
  return sources.map((source) => {
    const key = sourceKey(source);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} (${count})`;
  });
}

/** Finds out what the source names. Throws `UnreadablePage` when that cannot be found out. */
export async function openSource(source: KnowledgeSource, options: SiteOptions): Promise<OpenedSource> {
  if ("folder" in source) return await openFolder(source, options);
  if ("sitemap" in source) return await openSite(await readSitemap(source.sitemap, source, options), options);
  const addresses = source.pages.map((page) => {
    const address = pageAddress(page, page);
    if (address === undefined) throw new UnreadablePage("address", `${page} is not the address of a page.`);
    return address;
  });
  const wanted = new Set(addresses.filter((address) => isWanted(address, source)));
  return await openSite({ addresses: [...wanted], isWhole: true, failures: [], skipped: [] }, options);
}
