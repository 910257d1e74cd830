import type { PageVersion } from "../../store/knowledge-store.ts";
import type { PageText } from "../content/page-text.ts";
import type { Listing } from "./sitemap.ts";

/** What became of an address. A page that cannot be read throws `UnreadablePage`. */
export type Visit =
  | { readonly outcome: "read"; readonly url: string; readonly version: PageVersion; readonly page: PageText }
  /** The version that was asked for is still the page's. */
  | { readonly outcome: "unchanged"; readonly url: string; readonly version: PageVersion }
  | { readonly outcome: "gone" }
  /** The site asks not to read it; `canonical` is the address to read in its place. */
  | { readonly outcome: "skipped"; readonly reason: string; readonly canonical?: string };

export interface VisitOptions {
  readonly signal: AbortSignal;
  /** What is known of an address, where it is to be read only if it has changed. */
  readonly versionOf: (url: string) => PageVersion | undefined;
  /** The page stands for others, so the address that it names as its own counts for nothing. */
  readonly isCanonical?: boolean;
}

/** A site or a folder, while it is read. */
export interface OpenedSource extends Listing {
  visit(address: string, options: VisitOptions): Promise<Visit>;
}
