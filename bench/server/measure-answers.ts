/** Measures whole answers with a Postgres some milliseconds away: how many fail, how soon they begin and end. */
import type { AnswerLoad, AnswersSeen } from "./answer-load.ts";
import type { Notified } from "./servers/delay-proxy.ts";
import { startPgBouncer } from "./servers/pgbouncer.ts";
import { Place } from "./servers/place.ts";
import type { Process } from "./servers/start-process.ts";

export interface AnswerFigures extends AnswersSeen {
  /** CPU time of all instances in microseconds for each delta that was read. */
  readonly cpuUs: number;
  /** The bytes of Postgres' notifications per second. */
  readonly notifiedBytes: number;
}

export interface AnswerSetting {
  readonly instances: number;
  readonly answers: number;
  /** Every nth answer is read on another instance than the one that writes it; 0 for none. */
  readonly followEvery: number;
  /** Whether pgbouncer is between the instances and the database. */
  readonly pooled?: boolean;
  /** The server that answers: by default the chat server, or the minimal durable one. */
  readonly server?: "chat-server" | "floor-server";
}

/** The delay of each chunk between an instance and the database, in each direction. */
export const DELAY_MS = 2;

/** An answer takes ten seconds, at 20 deltas a second. */
const PACE = { deltas: 200, everyMs: 50 };
const OVER_MS = 5000;

/**
 * The number of answers for each instance before the measurement. In the first seconds of a process a seventh of its time goes
 * into compiling its code, and more in a server with many modules. A process that runs for days pays for that once.
 */
const WARM_ANSWERS = 120;
const WARM_OVER_MS = 4000;
const WARM = { deltas: 60, everyMs: 25 };

export async function measureAnswers({
  instances,
  answers,
  followEvery,
  pooled,
  server: script = "chat-server",
}: AnswerSetting): Promise<AnswerFigures> {
  await using place = new Place();
  const postgres = await startDistantPostgres(place, DELAY_MS);
  const database = await postgres.createDatabase();
  const bouncer = pooled ? await startPgBouncer(database) : undefined;
  if (bouncer) place.defer(() => bouncer.stop());
  const databases = {
    BENCH_DATABASE: bouncer?.through(database) ?? database,
    ...(bouncer && { BENCH_DIRECT_DATABASE: database }),
  };
  const servers = Array.from({ length: instances }, () => place.process(`servers/${script}.ts`, databases));
  const load = place.process("answer-load.ts");
  const urls: string[] = [];
  for (const server of servers) urls.push(await server.call<string>("listen"));
  const ask = (setting: Omit<AnswerLoad, "urls" | "followEvery">) =>
    load.call<AnswersSeen>("answers", { urls, followEvery, ...setting } satisfies AnswerLoad);
  await ask({ answers: WARM_ANSWERS * instances, pace: WARM, overMs: WARM_OVER_MS });

  const begun = performance.now();
  const [cpuBefore, notifiedBefore] = [await cpuOf(servers), await postgres.notified()];
  const seen = await ask({ answers, pace: PACE, overMs: OVER_MS });
  const seconds = (performance.now() - begun) / 1000;
  const [cpuAfter, notifiedAfter] = [await cpuOf(servers), await postgres.notified()];
  return {
    ...seen,
    cpuUs: ((cpuAfter - cpuBefore) * 1000) / seen.events,
    notifiedBytes: (notifiedAfter.bytes - notifiedBefore.bytes) / seconds,
  };
}

/** Measures the same answers of the raw server: its CPU time in microseconds for each delta that was read. */
export async function measureRawAnswers(answers: number): Promise<number> {
  await using place = new Place();
  const server = place.process("servers/raw-server.ts");
  const load = place.process("answer-load.ts");
  const url = await server.call<string>("listen");
  await load.call("rawAnswers", url, WARM_ANSWERS, WARM, WARM_OVER_MS);
  const before = await cpuOf([server]);
  const events = await load.call<number>("rawAnswers", url, answers, PACE, OVER_MS);
  return (((await cpuOf([server])) - before) * 1000) / events;
}

/** A temporary Postgres behind a proxy that adds latency. */
interface DistantPostgres {
  createDatabase(): Promise<string>;
  /** The notifications that it has sent since its start. */
  notified(): Promise<Notified>;
}

/** @param delayMs the delay of each chunk in each direction */
async function startDistantPostgres(place: Place, delayMs: number): Promise<DistantPostgres> {
  const postgres = await place.postgres();
  const proxy = place.process("servers/delay-proxy.ts");
  let port: number | undefined;
  return {
    createDatabase: async () => {
      const url = new URL(await postgres.createDatabase());
      port ??= await proxy.call<number>("listen", Number(url.port), delayMs);
      url.port = String(port);
      return url.href;
    },
    notified: () => proxy.call<Notified>("notified"),
  };
}

async function cpuOf(processes: readonly Process[]): Promise<number> {
  const all = await Promise.all(processes.map((one) => one.call<number>("cpuMs")));
  return all.reduce((sum, ms) => sum + ms, 0);
}
