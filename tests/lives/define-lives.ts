import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { live } from "./life.ts";
import { startMcpServer } from "./mcp-server.ts";
import type { McpServer } from "./mcp-server.ts";
import type { Lane, Lanes } from "./place.ts";
import { watchTimers } from "./watch-timers.ts";

/**
 * `NITKA_LIVES_SEED` is the first seed, for repeating a life, and `NITKA_LIVES_COUNT` their number. The story of each life is
 * written to the folder `NITKA_LIVES_STORIES`.
 */
const STORIES = process.env["NITKA_LIVES_STORIES"];
const FIRST = Number(process.env["NITKA_LIVES_SEED"] ?? 1);

/** Longer than any life and its wait for a turn. */
const TEST_MS = 1_200_000;

/** A life's server has delays that are a tenth of the usual ones. When timers are later than this, most of these delays are meaningless. */
const LATE_MS = 200;

interface LivesOptions {
  /** The number of lives, unless the environment sets it. */
  readonly count: number;
  /** The number of lives that run at the same time, at most. They mostly wait. */
  readonly atOnce: number;
  readonly lanes: () => Promise<Lanes>;
}

/** Defines a test for each life, and one for what all of them leave behind. */
export function defineLives({ count, atOnce, lanes: startLanes }: LivesOptions): void {
  vi.setConfig({ maxConcurrency: atOnce });
  const total = Number(process.env["NITKA_LIVES_COUNT"] ?? count);
  const seeds = Array.from({ length: total }, (_, n) => FIRST + n);
  const open: Lane[] = [];
  const free: Lane[] = [];
  const going: Promise<unknown>[] = [];
  const timers = watchTimers();
  let place: { readonly lanes: Lanes; readonly mcp: McpServer; readonly before: ReadonlyMap<string, number> };

  beforeAll(async () => {
    const [lanes, mcp] = await Promise.all([startLanes(), startMcpServer()]);
    place = { lanes, mcp, before: resources() };
  });

  const living = new Set<number>();
  let turn = Promise.resolve();

  /** Lives start one after the other. While timers are late, no life starts beside others, so a busy machine runs fewer at the same time. */
  function begin(seed: number): Promise<void> {
    turn = turn.then(async () => {
      while ((await lateness()) > LATE_MS && living.size > 0);
      living.add(seed);
    });
    return turn;
  }

  async function freeLane(): Promise<Lane> {
    const known = free.pop();
    if (known) return known;
    const opened = await place.lanes.open();
    open.push(opened);
    return opened;
  }

  it.concurrent.for(seeds)("is at rest and correct after life %i", { timeout: TEST_MS }, async (seed) => {
    await begin(seed);
    const lane = await freeLane();
    const { story, wrongs, gone } = await live(seed, lane, place.mcp);
    living.delete(seed);
    going.push(gone);
    free.push(lane);
    if (STORIES) writeFileSync(join(STORIES, `${lane.name}-${seed}.txt`), [...story, ...wrongs].join("\n"));
    const told = wrongs.length === 0 ? [] : [...wrongs, `The story of seed ${seed}:`, ...story];
    expect(told.join("\n")).toBe("");
  });

  it("leaves no timer, no socket and no other resource", { timeout: TEST_MS }, async () => {
    await Promise.all(going);
    await Promise.all(open.map((lane) => lane.close()));
    await place.mcp.stop();
    // The last sockets close a moment after their servers. The database still runs: it would close the remaining ones.
    await expect.poll(() => [...leftIn(resources(), place.before), ...timers.left()]).toEqual([]);
  });

  afterAll(async () => {
    timers.stop();
    await place.lanes.close();
  });
}

/** How late timers are now, in milliseconds. */
async function lateness(): Promise<number> {
  let late = 0;
  for (let looks = 0; looks < 3; looks += 1) {
    const due = performance.now() + 50;
    await sleep(50);
    late = Math.max(late, performance.now() - due);
  }
  return late;
}

/**
 * The number of each kind of resource that keeps the process alive. Timers are tracked separately, including those that do not.
 */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const kind of ["Timeout", "Immediate", "CloseReq"]) counts.delete(kind);
  return counts;
}

function leftIn(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): readonly string[] {
  return [...now].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} × ${kind}`] : [];
  });
}
