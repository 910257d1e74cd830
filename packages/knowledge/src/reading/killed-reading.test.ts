import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keysOf } from "@nitka/server/words";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { expect, test } from "vitest";
import { createKnowledge } from "../create-knowledge.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { openPostgresKnowledge } from "../store/open-postgres.ts";
import { openSqliteKnowledge } from "../store/open-sqlite.ts";
import { numbered } from "./test-reading.contract.ts";
import { startTestSite, type TestSite } from "./test-site.contract.ts";

/** How often a reading is killed on each database. `NITKA_KILLS=100` takes some minutes. */
const kills = Number(process.env["NITKA_KILLS"] ?? 3);
/** More than are read before what they have in common is known: those are stored while others are read. */
const pages = 80;
const parts = 3;

/** Gives each page of the site another text, of some passages. */
function publish(site: TestSite, version: number): void {
  for (const path of numbered(pages)) {
    const sections = Array.from(
      { length: parts },
      (_, part) => `<h2>Часть ${part}</h2><p>Доставка ${path} версии ${version}.</p>`,
    );
    site.pages.set(path, `<title>Страница ${path}</title>${sections.join("")}`);
  }
  site.list(numbered(pages));
}

const versionOf = (text: string): string => /версии (\d+(?:\.5)?)/.exec(text)?.[1] ?? "none";

/** The versions that the store has of each page, where nothing writes. Each must be whole. */
async function storedVersions(store: KnowledgeStore): Promise<readonly string[]> {
  const known = await store.knownPages("shop");
  const versions: string[] = [];
  for (const { url, passages } of known) {
    const texts = (await store.page("shop", url))?.content.passages.map(({ text }) => text) ?? [];
    expect([url, texts.length, passages, new Set(texts.map(versionOf)).size]).toEqual([url, parts, parts, 1]);
    versions.push(versionOf(texts[0] ?? ""));
  }
  // Each passage has its words, and is counted.
  const { size, counts } = await store.index.vocabulary("shop", keysOf("доставка"));
  const all = known.length * parts;
  expect([size, ...counts.values()]).toEqual([all, all]);
  for (const { url } of known) {
    const word = new URL(url).pathname.slice(1);
    const found = await store.index.best("shop", [{ word, count: parts, asked: 0, share: 1, worth: 1 }], all, 0);
    expect([url, found.length]).toEqual([url, parts]);
  }
  return versions;
}

/** Searches until it is stopped: no search may see parts of two versions of a page. */
function searchAlways(store: KnowledgeStore): () => Promise<number> {
  const knowledge = createKnowledge({ store, projectId: "shop" });
  const stop = new AbortController();
  const { signal } = new AbortController();
  const ended = (async () => {
    let searches = 0;
    for (; !stop.signal.aborted; searches += 1) {
      const seen = new Map<string, string>();
      for (const { title, text } of await knowledge.search("доставка версии", { limit: 50, signal })) {
        const version = versionOf(text);
        expect(`${title} ${seen.get(title) ?? version}`).toBe(`${title} ${version}`);
        seen.set(title, version);
      }
      await delay(5);
    }
    return searches;
  })();
  return async () => {
    stop.abort();
    return await ended;
  };
}

interface Reader {
  readonly process: ChildProcess;
  /** The result of its reading; `undefined` where it ended without one. */
  readonly result: Promise<unknown>;
}

/** Returns how many searches were made meanwhile. Of many kills some must come between two pages that are stored. */
async function killAtRandomMoments(database: string, store: KnowledgeStore): Promise<number> {
  await using site = await startTestSite();
  const script = new URL("killed-process.contract.ts", import.meta.url);
  const running = new Set<ChildProcess>();
  /** Resolves when the process begins to read. */
  const start = async (): Promise<Reader> => {
    const reader = fork(script, [database, `${site.origin}/sitemap.xml`]);
    running.add(reader);
    let last: unknown;
    reader.on("message", (message) => (last = message));
    const result = once(reader, "exit").then(() => (last === "ready" ? undefined : last));
    await Promise.race([once(reader, "message"), result]);
    return { process: reader, result };
  };
  // After a number of requests, since the time that a reading takes depends on what else runs on the machine.
  const killSomeTime = async (reader: Reader): Promise<void> => {
    const last = site.requests.length + Math.random() * (pages + 2);
    while (site.requests.length < last && reader.process.exitCode === null) await delay(1);
    await delay(Math.random() * 20);
    reader.process.kill("SIGKILL");
    await reader.result;
  };
  const stopSearching = searchAlways(store);
  let inTheMiddle = 0;
  try {
    for (let version = 1; version <= kills; version += 1) {
      publish(site, version);
      const [first, second] = await Promise.all([start(), start()]);
      await killSomeTime(first);
      expect(await second.result).toMatchObject({ failed: [], unread: [], heldBack: [] });
      expect(await storedVersions(store)).toEqual(Array.from({ length: pages }, () => String(version)));

      // Alone: what it leaves behind is whole, be it old or new.
      publish(site, version + 0.5);
      const alone = await start();
      await killSomeTime(alone);
      const versions = await storedVersions(store);
      expect(versions).toHaveLength(pages);
      if (new Set(versions).size > 1) inTheMiddle += 1;
    }
    // A few may all come before the first page, or after the last.
    expect(inTheMiddle).toBeGreaterThanOrEqual(Math.floor(kills / 20));
    return await stopSearching();
  } finally {
    await stopSearching();
    for (const reader of running) reader.kill("SIGKILL");
  }
}

test(
  "a reading that is killed in SQLite leaves whole pages, and the next one ends whole",
  { timeout: 60_000 + kills * 10_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "nitka-killed-"));
    const path = join(folder, "knowledge.db");
    const store = await openSqliteKnowledge({ path });
    try {
      expect(await killAtRandomMoments(path, store)).toBeGreaterThan(0);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  },
);

test(
  "a reading that is killed in Postgres leaves whole pages, and the next one ends whole",
  { timeout: 60_000 + kills * 10_000 },
  async () => {
    const postgres = await startTemporaryPostgres();
    try {
      const url = await postgres.createDatabase();
      const store = await openPostgresKnowledge({ url });
      try {
        expect(await killAtRandomMoments(url, store)).toBeGreaterThan(0);
      } finally {
        await store.close();
      }
    } finally {
      await postgres.stop();
    }
  },
);
