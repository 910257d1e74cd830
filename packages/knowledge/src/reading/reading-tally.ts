import type { KnownPage, PageFailure, ReadingResult } from "../store/knowledge-store.ts";

/** How far a reading is. */
export interface ReadingProgress {
  readonly source: string;
  readonly done: number;
  /** As far as it is known. */
  readonly total: number;
}

/** What a source was found to lack: the pages that the listing or the server no longer has. */
export interface SourceEnd {
  /** Everything that the source names was asked for, so what was not met is gone. */
  readonly isWhole: boolean;
  /** Addresses that the server no longer has, or asks not to read. */
  readonly ended: ReadonlySet<string>;
}

const mostSkipped = 5_000;

export type ReadingTally = ReturnType<typeof createReadingTally>;

/** What a reading has met so far, over all of its sources. */
export function createReadingTally(onProgress?: (progress: ReadingProgress) => void) {
  const taken = new Set<string>();
  const met = new Set<string>();
  const failedAddresses = new Set<string>();
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const failed: PageFailure[] = [];
  const skipped: { readonly url: string; readonly reason: string }[] = [];
  const unread: { readonly source: string; readonly reason: string }[] = [];
  return {
    /** Whether nothing has asked for the address yet. */
    take: (address: string): boolean => taken.size < taken.add(address).size,
    /** Whether no other address has led to the page yet. */
    meet: (url: string): boolean => met.size < met.add(url).size,
    count: (outcome: "new" | "changed" | "unchanged"): void => void (counts[outcome] += 1),
    fail(source: string, url: string, listedAs: string, code: string, reason: string): void {
      failedAddresses.add(url).add(listedAs);
      failed.push({ url, source, code, reason });
    },
    leaveOut: (url: string, reason: string): void =>
      void (skipped.length < mostSkipped && skipped.push({ url, reason })),
    unread: (source: string, reason: string): void => void unread.push({ source, reason }),
    progress: (source: string, done: number, total: number): void =>
      onProgress?.({ source, done, total: Math.max(done, total) }),
    /** The pages that a source has lost. Those of an unread source stay. */
    lostPages: (pages: readonly KnownPage[], { isWhole, ended }: SourceEnd): readonly KnownPage[] =>
      pages.filter(({ url, listedAs = url }) => {
        // Its own address may have ended although it was met: its canonical address redirects back to it.
        if (met.has(url) || failedAddresses.has(url) || failedAddresses.has(listedAs)) return false;
        return isWhole || ended.has(url) || ended.has(listedAs);
      }),
    result: (ends: Pick<ReadingResult, "startedAt" | "endedAt" | "gone" | "heldBack">): ReadingResult => ({
      ...counts,
      failed,
      skipped,
      unread,
      ...ends,
    }),
  };
}
