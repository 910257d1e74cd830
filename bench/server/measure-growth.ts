import { Place } from "./servers/place.ts";
import type { Memory } from "./servers/start-process.ts";

export interface GrowthFigures {
  readonly runs: number;
  /** Live heap and resident memory in kilobytes after each part of the runs. The first part warms up. */
  readonly heapKb: readonly number[];
  readonly rssKb: readonly number[];
}

const LINES = 50;
const EACH = 12;
const PARTS = 6;

/** Measures what memory remains after many conversations have ended. */
export async function measureGrowth(): Promise<GrowthFigures> {
  await using place = new Place();
  const { server, url } = await place.chatServer();
  const load = place.process("load.ts");
  const heapKb: number[] = [];
  const rssKb: number[] = [];
  for (let part = 0; part <= PARTS; part += 1) {
    await load.call("converse", url, LINES, EACH, { deltas: 60, everyMs: 4 });
    await load.call("seen");
    const memory = await server.call<Memory>("memory");
    heapKb.push(memory.heapKb);
    rssKb.push(memory.rssKb);
  }
  return { runs: LINES * EACH * PARTS, heapKb, rssKb };
}
