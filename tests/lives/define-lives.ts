import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { live } from "./life.ts";
import { startMcpServer } from "./mcp-server.ts";
import type { Lanes } from "./place.ts";

/** `NITKA_LIVES_SEED` is the first seed, to run one again, and `NITKA_LIVES_COUNT` how many there are. The folder `NITKA_LIVES_STORIES` gets the story of each. */
const STORIES = process.env["NITKA_LIVES_STORIES"];
const FIRST = Number(process.env["NITKA_LIVES_SEED"] ?? 1);

interface LivesOptions {
  readonly count: number;
  /** How many lives take place at the same time: most of their time they wait. */
  readonly atOnce: number;
  readonly lanes: () => Promise<Lanes>;
}

/** Runs the lives of some seeds. Returns what went wrong, with the story of the first life in which something did. */
export async function runLives({ count, atOnce, lanes: startLanes }: LivesOptions): Promise<readonly string[]> {
  const failed: string[] = [];
  const now = new Set<number>();
  const going: Promise<unknown>[] = [];
  const before = resources();
  const [lanes, mcp] = await Promise.all([startLanes(), startMcpServer()]);
  const unhandled = (reason: unknown) =>
    failed.push(
      `unhandled during the lives ${[...now].join(", ")}: ${reason instanceof Error ? reason.stack : String(reason)}`,
    );
  process.on("unhandledRejection", unhandled);
  let seed = FIRST;
  const total = Number(process.env["NITKA_LIVES_COUNT"] ?? count);
  const lane = async () => {
    const own = await lanes.open();
    while (seed < FIRST + total) {
      const mine = seed;
      seed += 1;
      now.add(mine);
      const { story, wrongs, gone } = await live(mine, own, mcp);
      going.push(gone);
      if (STORIES) writeFileSync(join(STORIES, `${own.name}-${mine}.txt`), [...story, ...wrongs].join("\n"));
      now.delete(mine);
      const isFirst = failed.length === 0;
      if (wrongs.length > 0)
        failed.push([`seed ${mine}:`, ...wrongs, ...(isFirst ? ["its story:", ...story] : [])].join("\n  "));
    }
    await own.close();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, total) }, lane));
    await Promise.all(going);
  } finally {
    process.off("unhandledRejection", unhandled);
    await mcp.stop();
    await lanes.close();
  }
  // The last sockets close a moment after their servers have.
  await expect.poll(() => leftIn(resources(), before)).toEqual([]);
  return failed;
}

/** What keeps the process alive: how many timers, sockets and the like there are. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function leftIn(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): readonly string[] {
  return [...now].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 && kind !== "CloseReq" ? [`${more} × ${kind}`] : [];
  });
}
