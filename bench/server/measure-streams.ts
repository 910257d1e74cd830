/** Measures streams: CPU time and latency of an event, memory of an open stream. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Seen } from "./load.ts";
import type { Pace } from "./servers/paced-deltas.ts";
import { Place } from "./servers/place.ts";
import type { Memory } from "./servers/start-process.ts";

export interface StreamFigures {
  /** Microseconds of the server's CPU time, user and system, for each event that was read. */
  readonly cpuUs: number;
  readonly p50: number;
  readonly p99: number;
  /** Kilobytes of the server's resident memory for each open stream. */
  readonly rssKb: number;
  /** The percentage of due events that were not read. */
  readonly missing: number;
}

export type ServerKind = "raw" | "scripted" | "upstream" | "aiSdkRoute";

interface Measured {
  readonly script: string;
  /** How the load opens a stream of this server. */
  readonly open: "openRaw" | "openChat" | "openRoute";
  /** Whether the answers come from an upstream in a separate process. */
  readonly upstream: boolean;
}

const kinds: Readonly<Record<ServerKind, Measured>> = {
  raw: { script: "servers/raw-server.ts", open: "openRaw", upstream: false },
  scripted: { script: "servers/chat-server.ts", open: "openChat", upstream: false },
  upstream: { script: "servers/chat-server.ts", open: "openChat", upstream: true },
  // A minimal route on the AI SDK, whose packages the benchmark of the peers installs.
  aiSdkRoute: { script: "../peers/apps/ai-sdk-route/server.js", open: "openRoute", upstream: true },
};

const EVERY_MS = 50;
const WARM_MS = 3000;
const OPENING_MS = 4000;
const SETTLING_MS = 1500;
const MEASURED_MS = 6000;

/** Opens streams of 20 events a second each, and measures while all of them are open. */
export async function measureStreams(kind: ServerKind, count: number): Promise<StreamFigures> {
  const measured = kinds[kind];
  await using place = new Place();
  const upstream = measured.upstream ? await place.upstream() : undefined;
  const server = place.process(measured.script, {
    BENCH_DATABASE: `${place.folder()}/nitka.db`,
    ...(upstream && { BENCH_UPSTREAM: upstream.OPENAI_BASE_URL }),
  });
  const load = place.process("load.ts");
  const url = await server.call<string>("listen");
  const open = (streams: number, ms: number, overMs: number) => {
    const pace: Pace = { deltas: ms / EVERY_MS, everyMs: EVERY_MS };
    return load.call(measured.open, url, streams, pace, overMs);
  };
  // Warms up: the first streams compile code and allocate memory that later ones reuse.
  await open(Math.min(count, 200), WARM_MS - 1000, 1000);
  await sleep(WARM_MS + 500);
  const before = await server.call<Memory>("memory");

  await open(count, OPENING_MS + SETTLING_MS + MEASURED_MS + 3000, OPENING_MS);
  await sleep(SETTLING_MS);
  await load.call("seen");
  const cpuBefore = await server.call<number>("cpuMs");
  await sleep(MEASURED_MS);
  const cpuAfter = await server.call<number>("cpuMs");
  const seen = await load.call<Seen>("seen");
  const after = await server.call<Memory>("memory");
  if (seen.failed > 0) throw new Error(`${seen.failed} streams could not be opened`);
  return {
    cpuUs: ((cpuAfter - cpuBefore) * 1000) / seen.events,
    p50: seen.p50,
    p99: seen.p99,
    rssKb: (after.rssKb - before.rssKb) / count,
    missing: Math.max(0, 1 - seen.events / ((count * MEASURED_MS) / EVERY_MS)) * 100,
  };
}
