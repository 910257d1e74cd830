/** Measures streams: CPU time and latency of an event, memory of an open stream. */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Seen } from "./load.ts";
import type { Pace } from "./servers/paced-deltas.ts";
import { startProcess } from "./servers/start-process.ts";
import type { Memory } from "./servers/start-process.ts";
import { temporaryFolder } from "./servers/temporary-folder.ts";

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
  readonly script: URL;
  /** How the load opens a stream of it. */
  readonly open: "openRaw" | "openChat" | "openRoute";
  /** Whether the answers come from an upstream in a process of its own. */
  readonly upstream: boolean;
}

const rawServer = new URL("./servers/raw-server.ts", import.meta.url);
const chatServer = new URL("./servers/chat-server.ts", import.meta.url);

/** A minimal route on the AI SDK, whose packages the benchmark of the peers installs. */
const aiSdkRoute = new URL("../peers/apps/ai-sdk-route/server.js", import.meta.url);

const kinds: Readonly<Record<ServerKind, Measured>> = {
  raw: { script: rawServer, open: "openRaw", upstream: false },
  scripted: { script: chatServer, open: "openChat", upstream: false },
  upstream: { script: chatServer, open: "openChat", upstream: true },
  aiSdkRoute: { script: aiSdkRoute, open: "openRoute", upstream: true },
};

const EVERY_MS = 50;
const WARM_MS = 3000;
const OPENING_MS = 4000;
const SETTLING_MS = 1500;
const MEASURED_MS = 6000;

/** Opens streams of 20 events a second each, and measures while all of them are open. */
export async function measureStreams(kind: ServerKind, count: number): Promise<StreamFigures> {
  const measured = kinds[kind];
  const folder = temporaryFolder();
  const upstream = measured.upstream ? startProcess(new URL("./servers/upstream.ts", import.meta.url)) : undefined;
  const server = startProcess(measured.script, {
    BENCH_DATABASE: `${folder}/nitka.db`,
    ...(upstream && { BENCH_UPSTREAM: await upstream.call<string>("listen") }),
  });
  const load = startProcess(new URL("./load.ts", import.meta.url));
  try {
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
  } finally {
    await Promise.all([load.stop(), server.stop(), upstream?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
