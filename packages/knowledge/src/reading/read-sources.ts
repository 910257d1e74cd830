import { randomUUID } from "node:crypto";
import type { KnowledgeStore, KnownPage, ReadingResult } from "../store/knowledge-store.ts";
import { type Embeddings, embedPassages } from "../search/search-meaning.ts";
import { UnreadablePage } from "./content/page-text.ts";
import { readSource } from "./read-source.ts";
import { createReadingTally, type ReadingProgress } from "./reading-tally.ts";
import { type KnowledgeSource, openSource, sourceKeys } from "./sources/knowledge-source.ts";
import { type ReadingLimits, usualLimits } from "./sources/request.ts";

const removedAtATime = 200;
/** A reading that would lose more than this share of a source, and more than a few pages, removes none of them. */
const mostLost = { share: 0.2, pages: 10 };

export interface ReadSourcesOptions {
  readonly store: KnowledgeStore;
  readonly projectId: string;
  readonly sources: readonly KnowledgeSource[];
  /** Makes the vectors that passages lack, once the pages are read. */
  readonly embeddings?: Embeddings;
  /** Reads and stores every page, changed or not. */
  readonly full?: boolean;
  /** Removes pages also where many are gone at once. */
  readonly prune?: boolean;
  /** Reads all and stores nothing. */
  readonly dryRun?: boolean;
  /** Ends the reading. The pages that were stored until then stay: each is whole. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReadingProgress) => void;
  readonly clock?: () => Date;
  readonly fetch?: typeof fetch;
  readonly limits?: Partial<ReadingLimits>;
}

/**
 * Reads the pages of all sources, and stores what is new, changed and gone. `"busy"`: another process reads the project. A
 * page, or a source, that cannot be read stays as it was, and the result says so; the promise fails only with the store, or
 * with the signal.
 */
export async function readSources(options: ReadSourcesOptions): Promise<ReadingResult | "busy"> {
  const { store, projectId, dryRun = false } = options;
  if (dryRun) return await readAll(options, options.signal);
  const holder = randomUUID();
  const leaseMs = options.limits?.leaseMs ?? usualLimits.leaseMs;
  if (!(await store.leaseReading(projectId, holder, leaseMs))) return "busy";
  const lost = new AbortController();
  const lose = (): void => lost.abort();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = store.leaseReading(projectId, holder, leaseMs).then((has) => (has ? undefined : lose()), lose);
  }, leaseMs / 3);
  let result: ReadingResult | undefined;
  try {
    result = await readAll(options, AbortSignal.any([options.signal, lost.signal]));
    return result;
  } catch (error) {
    // This process stood still for so long that another one reads now.
    if (lost.signal.aborted && !options.signal.aborted) return "busy";
    throw error;
  } finally {
    clearInterval(timer);
    await renewing;
    await store.endReading(projectId, holder, result);
  }
}

async function readAll(options: ReadSourcesOptions, signal: AbortSignal): Promise<ReadingResult> {
  const { store, projectId, full = false, prune = false, dryRun = false, clock = () => new Date() } = options;
  const limits = { ...usualLimits, ...options.limits };
  const startedAt = clock().getTime();
  // What is known is read first: a page that is stored meanwhile is never taken for one that is gone.
  const known = await store.knownPages(projectId);
  const byUrl = new Map(known.map((page) => [page.url, page]));
  const tally = createReadingTally(options.onProgress);
  const heldBack: { readonly source: string; readonly pages: number }[] = [];
  const gone: KnownPage[] = [];
  const keys = sourceKeys(options.sources);
  const shared = { projectId, store, known: byUrl, full, dryRun, limits, clock, signal, tally };

  for (const [at, source] of options.sources.entries()) {
    const key = keys[at] ?? "";
    try {
      const opened = await openSource(source, { fetch: options.fetch ?? fetch, signal, clock, limits });
      const end = await readSource(opened, { ...shared, key });
      const own = known.filter((page) => page.source === key);
      const lost = tally.lostPages(own, end);
      if (!prune && lost.length > mostLost.pages && lost.length > own.length * mostLost.share) {
        heldBack.push({ source: key, pages: lost.length });
      } else {
        gone.push(...lost);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnreadablePage)) throw error;
      tally.unread(key, error.message);
    }
  }
  const removed = known.filter((page) => !keys.includes(page.source));
  gone.push(...tally.lostPages(removed, { isWhole: true, ended: new Set() }));
  if (!dryRun) {
    for (let at = 0; at < gone.length; at += removedAtATime) {
      signal.throwIfAborted();
      const urls = gone.slice(at, at + removedAtATime).map(({ url }) => url);
      await store.removePages(projectId, urls);
    }
  }
  if (!dryRun && options.embeddings !== undefined) {
    const { embeddings } = options;
    await embedPassages(store, projectId, embeddings, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      tally.unread(`embeddings ${embeddings.model}`, `Passages without a vector are found only by words: ${reason}`);
    });
  }
  return tally.result({ startedAt, endedAt: clock().getTime(), gone: gone.length, heldBack });
}
