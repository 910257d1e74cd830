import { setTimeout as sleep } from "node:timers/promises";
import type { Instance } from "./instance.ts";
import type { Visitor } from "./visitor.ts";

/**
 * Longer than anything may take after the last event on a slow and busy machine, on a server whose delays are a tenth of the usual
 * ones.
 */
const REST_MS = 60_000;

/** The metrics of a server's current work. */
const GAUGES = [
  "nitka_active_runs",
  "nitka_visitor_calls_waiting",
  "nitka_log_backlog_events",
  "nitka_buffered_bytes",
] as const;

export interface RestOptions {
  readonly alive: () => readonly Instance[];
  /** Whether an instance that has died or is being released is not replaced yet. */
  readonly isReviving: () => boolean;
  readonly visitors: readonly Visitor[];
  /** The number of open model generators. */
  readonly openModels: () => number;
  /** The ids of the runs that are stored as running. */
  readonly running: () => Promise<readonly string[]>;
}

/** Waits until everything is at rest. Returns what is still active when it should not be. */
export async function rest(options: RestOptions): Promise<readonly string[]> {
  const deadline = performance.now() + REST_MS;
  for (;;) {
    const busy = await busyNow(options);
    if (busy.length === 0) return [];
    if (performance.now() > deadline) return busy;
    await sleep(100);
  }
}

async function busyNow({ alive, isReviving, visitors, openModels, running }: RestOptions): Promise<readonly string[]> {
  // A fault may start or last while everything comes to rest: the database may be closed for a moment.
  if (isReviving()) return ["an instance is to start"];
  const busy = alive().flatMap(({ name, storage }) => storage.open().map((call) => `${name} waits for ${call}`));
  for (const instance of alive()) {
    const gauges = await instance.gauges(GAUGES);
    for (const [gauge, value] of Object.entries(gauges))
      if (value !== 0) busy.push(`${instance.name} has ${gauge} ${value}`);
  }
  for (const { name, reading } of visitors) if (reading > 0) busy.push(`${name} reads ${reading} streams`);
  if (openModels() > 0) busy.push(`${openModels()} generators of models are open`);
  if (busy.length > 0) return busy;
  return (await running()).map((one) => `${one} is running`);
}
