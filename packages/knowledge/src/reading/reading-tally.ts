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

/** What a reading has met so far, over all of its sources. */
export interface ReadingTally {
  /** Whether nothing has asked for the address yet. */
  take(address: string): boolean;
  /** Whether no other address has led to the page yet. */
  meet(url: string): boolean;
  count(outcome: "new" | "changed" | "unchanged"): void;
  fail(source: string, url: string, listedAs: string, code: string, reason: string): void;
  leaveOut(url: string, reason: string): void;
  unread(source: string, reason: string): void;
  progress(source: string, done: number, total: number): void;
  /** The pages that a source has lost. Those of an unread source stay. */
  lostPages(pages: readonly KnownPage[], end: SourceEnd): readonly KnownPage[];
  result(ends: Pick<ReadingResult, "startedAt" | "endedAt" | "gone" | "heldBack">): ReadingResult;
}

const mostSkipped = 5_000;

export function createReadingTally(onProgress?: (progress: ReadingProgress) => void): ReadingTally {
  const taken = new Set<string>();
  const met = new Set<string>();
  const failedAddresses = new Set<string>();
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const failed: PageFailure[] = [];
  const skipped: { readonly url: string; readonly reason: string }[] = [];
  const unread: { readonly source: string; readonly reason: string }[] = [];
  return {
    take: (address) => taken.size < taken.add(address).size,
    meet: (url) => met.size < met.add(url).size,
    count: (outcome) => void (counts[outcome] += 1),
    fail(source, url, listedAs, code, reason) {
      failedAddresses.add(url).add(listedAs);
      failed.push({ url, source, code, reason });
    },
    leaveOut: (url, reason) => void (skipped.length < mostSkipped && skipped.push({ url, reason })),
    unread: (source, reason) => void unread.push({ source, reason }),
    progress: (source, done, total) => onProgress?.({ source, done, total: Math.max(done, total) }),
    lostPages: (pages, { isWhole, ended }) =>
      pages.filter(({ url, listedAs = url }) => {
        if (failedAddresses.has(url) || failedAddresses.has(listedAs)) return false;
        if (ended.has(url)) return true;
        return !met.has(url) && (isWhole || ended.has(listedAs));
      }),
    result: (ends) => ({ ...counts, failed, skipped, unread, ...ends }),
  };
}
