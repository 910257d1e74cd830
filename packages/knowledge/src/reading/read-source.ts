import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { KnowledgeStore, KnownPage, PageContent, PageVersion } from "../store/knowledge-store.ts";
import { findBoilerplate, sampleOf, textDigests, withoutBoilerplate } from "./boilerplate.ts";
import { cutPassages, shortened } from "./content/cut-passages.ts";
import { type Block, type PageText, UnreadablePage } from "./content/page-text.ts";
import type { OpenedSource, Visit } from "./sources/opened-source.ts";
import { INDEX_VERSION } from "../words/index-passages.ts";
import type { ReadingLimits } from "./sources/request.ts";
import type { ReadingTally, SourceEnd } from "./reading-tally.ts";

/** Raise the first number when the same page gives other passages. Pages of another version are read anew, changed or not. */
const textVersion = `2.${INDEX_VERSION}`;
const requestsAtATime = 2;
/** How much text of the sample is kept until the boilerplate is known. */
const mostHeldCharacters = 2_000_000;
const touchedAtATime = 100;
/** What sitemaps.org allows; the index of Postgres holds few more. */
const longestAddress = 2_048;

export interface SourceReading {
  readonly projectId: string;
  readonly store: KnowledgeStore;
  /** The source's key. */
  readonly key: string;
  readonly known: ReadonlyMap<string, KnownPage>;
  readonly full: boolean;
  readonly dryRun: boolean;
  readonly limits: ReadingLimits;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
  readonly tally: ReadingTally;
}

interface Task {
  readonly address: string;
  /** The address that the source names, where the page is read in its place. */
  readonly listedAs?: string;
  /** When a busy server may be asked again; such a page is not put off a second time. */
  readonly notBefore?: number;
}

const taskOf = (address: string): Task => ({ address });

/** Reads the pages of one source, and stores what is new. Each page is stored whole before its reading ends. */
export async function readSource(source: OpenedSource, reading: SourceReading): Promise<SourceEnd> {
  const { tally, signal, store, projectId, key, dryRun, limits } = reading;
  const addresses = source.addresses.filter((address) => tally.take(address));
  const listed = new Set(source.addresses);
  const ended = new Set<string>();
  const again: Task[] = [];
  const touched: (PageVersion & { readonly url: string; readonly readAt: number })[] = [];
  let failuresInRow = 0;
  let isGivenUp = false;
  let done = 0;

  const stored = reading.full ? undefined : await store.boilerplate(projectId, key);
  let boilerplate = new Set(stored);
  const sample = sampleOf(addresses);
  const inSample = new Set(sample);
  const tasks: Task[] = addresses.filter((address) => !inSample.has(address)).map(taskOf);
  const sampled: ReadonlySet<string>[] = [];
  /** Pages of the sample wait here until the boilerplate is known. Larger ones are asked for again. */
  let held: { readonly task: Task; readonly visit: Visit & { outcome: "read" } }[] | undefined = [];
  let heldCharacters = 0;
  /** All pages are read anew: those that are left out of them may have changed. */
  let isAnew = stored === undefined && sample.length > 0;

  const versionOf = (url: string): PageVersion | undefined => {
    const page = reading.known.get(url);
    const isCurrent = page?.source === key && page.digest.startsWith(`${textVersion}:`);
    return reading.full || isAnew || !isCurrent ? undefined : page;
  };
  const storeTouched = async (): Promise<void> => {
    const pages = touched.splice(0);
    if (!dryRun && pages.length > 0) await store.touchPages(projectId, pages);
  };
  const touch = async (url: string, version: PageVersion): Promise<void> => {
    touched.push({ url, readAt: reading.clock().getTime(), ...version });
    if (touched.length >= touchedAtATime) await storeTouched();
  };
  const keep = async (task: Task, { url, version, page }: Visit & { outcome: "read" }): Promise<void> => {
    if (!tally.meet(url)) return;
    if (url.length > longestAddress)
      throw new UnreadablePage("too_large", `Its address has more than ${longestAddress} characters.`);
    const content = contentOf(page, boilerplate);
    const known = reading.known.get(url);
    const problem = emptiness(page, content, known);
    if (problem !== undefined) throw new UnreadablePage("empty", problem);
    const digest = digestOf(content);
    const listedAs = task.listedAs ?? task.address;
    const isSame = known?.digest === digest;
    tally.count(known === undefined ? "new" : isSame ? "unchanged" : "changed");
    if (isSame && known.source === key && !reading.full) {
      await touch(url, version);
    } else if (!dryRun) {
      const readAt = reading.clock().getTime();
      const place = { url, source: key, digest, readAt, ...version, ...(listedAs === url ? {} : { listedAs }) };
      signal.throwIfAborted();
      await store.putPage(projectId, place, content);
    }
  };
  const settle = async (task: Task, visit: Visit, add: (task: Task) => void): Promise<void> => {
    const { address } = task;
    if (visit.outcome === "gone") {
      ended.add(address);
    } else if (visit.outcome === "unchanged") {
      if (!tally.meet(visit.url)) return;
      tally.count("unchanged");
      await touch(visit.url, visit.version);
    } else if (visit.outcome === "skipped") {
      ended.add(address);
      tally.leaveOut(address, visit.reason);
      const { canonical } = visit;
      // The page that stands for this one is read too, though nothing may name it.
      if (canonical !== undefined && !listed.has(canonical) && tally.take(canonical)) {
        add({ address: canonical, listedAs: task.listedAs ?? address });
      }
    } else if (held !== undefined) {
      sampled.push(textDigests(visit.page.blocks));
      heldCharacters += visit.page.blocks.reduce((sum, block) => sum + block.text.length, 0);
      if (heldCharacters <= mostHeldCharacters) held.push({ task, visit });
      else tasks.push(task);
    } else {
      await keep(task, visit);
    }
  };
  const fail = (task: Task, error: unknown): void => {
    if (!(error instanceof UnreadablePage)) throw error;
    tally.fail(key, task.address, task.listedAs ?? task.address, error.code, error.message);
  };
  const attempt = async (task: Task, add: (task: Task) => void): Promise<void> => {
    if (isGivenUp) return;
    try {
      // Two pages may name each other as canonical: the second one is read itself.
      const visit = await source.visit(task.address, { signal, versionOf, isCanonical: task.listedAs !== undefined });
      failuresInRow = 0;
      await settle(task, visit, add);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnreadablePage)) throw error;
      const { code, waitMs = Infinity } = error;
      if (waitMs <= limits.retryAfterMs && task.notBefore === undefined) {
        again.push({ ...task, notBefore: performance.now() + waitMs });
        return;
      }
      fail(task, error);
      const isServers = waitMs < Infinity || ["unreachable", "timeout", "http"].includes(code);
      failuresInRow = isServers ? failuresInRow + 1 : 0;
      isGivenUp = failuresInRow >= limits.failuresInRow;
    }
    done += 1;
    tally.progress(key, done, addresses.length);
  };

  for (const failure of source.failures) tally.fail(key, failure.url, failure.url, failure.code, failure.reason);
  for (const { url, reason } of source.skipped) tally.leaveOut(url, reason);
  await forEach(sample.map(taskOf), attempt);
  const found = findBoilerplate(sampled, sample.length);
  if (found !== undefined && found.join() !== stored?.join()) {
    boilerplate = new Set(found);
    isAnew = true;
    if (!dryRun) await store.putBoilerplate(projectId, key, found);
  } else if (stored !== undefined) {
    isAnew = false;
  }
  const waiting = held;
  held = undefined;
  for (const { task, visit } of waiting) {
    await keep(task, visit).catch((error: unknown) => fail(task, error));
  }
  waiting.length = 0;
  await forEach(tasks, attempt);
  for (const task of again.splice(0)) {
    await delay(Math.max((task.notBefore ?? 0) - performance.now(), 0), undefined, { signal });
    await forEach([task], attempt);
  }
  await storeTouched();
  if (isGivenUp) {
    tally.unread(
      key,
      `Its server failed ${limits.failuresInRow} times in a row: the other pages are left as they were.`,
    );
  }
  return { isWhole: source.isWhole && !isGivenUp, ended };
}

function contentOf(page: PageText, boilerplate: ReadonlySet<string>): PageContent {
  const { title, language } = page;
  const blocks: readonly Block[] = withoutBoilerplate(page.blocks, boilerplate);
  return {
    title: shortened(title),
    ...(language === undefined ? {} : { language }),
    passages: cutPassages(blocks, language),
  };
}

/** Why a page without passages is not stored. One of links alone is, unless it had some. */
function emptiness(page: PageText, content: PageContent, known: KnownPage | undefined): string | undefined {
  const hasText = page.linksAlone || page.blocks.some((block) => block.kind !== "heading");
  if (content.passages.length > 0 || (hasText && !known?.passages)) return undefined;
  if (page.linksAlone) return "It contains only links now.";
  return "It has no text: a script may write its text in the browser, or it consists of pictures. Put its text into a folder of documents.";
}

function digestOf(content: PageContent): string {
  return `${textVersion}:${createHash("sha256").update(JSON.stringify(content)).digest("base64url")}`;
}

/** Works through tasks, and those that are added meanwhile, a few at a time. The first error ends it when all have stopped. */
async function forEach(
  tasks: readonly Task[],
  work: (task: Task, add: (task: Task) => void) => Promise<void>,
): Promise<void> {
  const queue = [...tasks];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let task = queue[next]; task !== undefined; task = queue[next]) {
      next += 1;
      await work(task, (added) => void queue.push(added)).catch((error: unknown) => {
        next = Infinity;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: requestsAtATime }, worker));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
