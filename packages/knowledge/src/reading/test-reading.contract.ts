import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { KnowledgeStore, ReadingResult } from "../store/knowledge-store.ts";
import { openSqliteKnowledge } from "../store/open-sqlite.ts";
import { readSources, type ReadSourcesOptions } from "./read-sources.ts";
import type { KnowledgeSource } from "./sources/knowledge-source.ts";
import { article, startTestSite, type TestSite } from "./test-site.contract.ts";

/** Reads the sources into the store, alone. */
export async function read(
  store: KnowledgeStore,
  sources: readonly KnowledgeSource[],
  options: Partial<ReadSourcesOptions> = {},
): Promise<ReadingResult> {
  const result = await readSources({
    store,
    projectId: "shop",
    sources,
    signal: new AbortController().signal,
    ...options,
  });
  if (result === "busy") throw new Error("another reading is under way");
  return result;
}

/** New, changed, unchanged, gone, failed. */
export const brief = ({ new: added, changed, unchanged, gone, failed }: ReadingResult): readonly number[] => [
  added,
  changed,
  unchanged,
  gone,
  failed.length,
];

export const paths = async (store: KnowledgeStore): Promise<readonly string[]> =>
  (await store.knownPages("shop")).map(({ url }) => new URL(url).pathname).toSorted();

export const fromSitemap = (site: TestSite): readonly KnowledgeSource[] => [{ sitemap: `${site.origin}/sitemap.xml` }];

export const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `/p${at}`);

/** A site of so many pages in its sitemap. */
export async function siteOf(count: number): Promise<TestSite> {
  const site = await startTestSite();
  for (const path of numbered(count)) site.pages.set(path, article(`Страница ${path}`, `Текст страницы ${path}.`));
  site.list(numbered(count));
  return site;
}

/** A store that counts how often a page is written. */
export interface CountingStore extends KnowledgeStore {
  writes(): number;
}

/** A new store in SQLite, until the test ends. */
export async function openTestStore(): Promise<CountingStore> {
  const folder = await mkdtemp(join(tmpdir(), "nitka-reading-"));
  const store = await openSqliteKnowledge({ path: join(folder, "knowledge.db") });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  let writes = 0;
  return {
    ...store,
    writes: () => writes,
    async putPage(...args) {
      writes += 1;
      await store.putPage(...args);
    },
  };
}
