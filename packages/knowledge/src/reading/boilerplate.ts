import { createHash } from "node:crypto";
import type { Block } from "./content/page-text.ts";

/** Fewer pages do not show what all have in common. */
const fewestPages = 8;
const sampleSize = 40;

/** Addresses that stand evenly among all: the same ones as long as the list is the same. */
export function sampleOf(addresses: readonly string[]): readonly string[] {
  if (addresses.length < fewestPages) return [];
  const step = Math.max(addresses.length / sampleSize, 1);
  const length = Math.min(sampleSize, addresses.length);
  return Array.from({ length }, (_, at) => addresses[Math.floor(at * step)] ?? "");
}

/**
 * Digests of the texts that more than half of the pages have word for word: banners, notes, what stands below each article.
 * `undefined` when the pages are too few to tell.
 */
export function findBoilerplate(pages: readonly ReadonlySet<string>[], asked: number): readonly string[] | undefined {
  // One page may have several addresses. All of its text would be common to these.
  const distinct = [...new Map(pages.map((page) => [[...page].join(), page])).values()];
  if (distinct.length < fewestPages || pages.length * 2 < asked) return undefined;
  const counts = new Map<string, number>();
  for (const digests of distinct) {
    for (const digest of digests) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count * 2 > distinct.length)
    .map(([digest]) => digest)
    .toSorted();
}

/** Digests of a page's texts, which take little memory. Headings are never boilerplate: they say what stands below them. */
export function textDigests(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(blocks.filter(({ kind }) => kind !== "heading").map(({ text }) => digestOf(text)));
}

export function withoutBoilerplate(blocks: readonly Block[], digests: ReadonlySet<string>): readonly Block[] {
  if (digests.size === 0) return blocks;
  return blocks.filter((block) => block.kind === "heading" || !digests.has(digestOf(block.text)));
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 16);
