import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

/**
 * A life takes at most a minute and a half. The test's time-out does not include waiting for a lane, because there is one for
 * each test.
 */
const TEST_MS = 300_000;

interface LivesOptions {
  /** The number of lives, unless the environment sets it. */
  readonly count: number;
  /** The number of lives that run at the same time. They mostly wait. */
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

  async function freeLane(): Promise<Lane> {
    const known = free.pop();
    if (known) return known;
    const opened = await place.lanes.open();
    open.push(opened);
    return opened;
  }

  it.concurrent.for(seeds)("is at rest and correct after life %i", { timeout: TEST_MS }, async (seed) => {
    const lane = await freeLane();
    const { story, wrongs, gone } = await live(seed, lane, place.mcp);
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
