import type { Storage } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";

export interface HousekeepingOptions {
  readonly storage: Storage;
  readonly projectIds: readonly string[];
  readonly clock: () => Date;
  readonly log: Log;
  /** Days after which a thread that nobody touched is dropped; `undefined` keeps all. */
  readonly retentionDays: number | undefined;
}

/** One kind of data that expires. A step that fails keeps none of the others from running. */
interface HousekeepingStep {
  /** What it drops, for the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Returns how many were dropped, where that is worth a line in the log. */
  readonly run: () => Promise<number>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Logs of ended runs are for readers that are still behind; who comes later is given the stored answer. */
const LOG_MS = 5 * MINUTE_MS;
const UNSENT_MS = DAY_MS;

/** Drops what nobody needs any more, at once and then again and again. Returns its stop. */
export function startHousekeeping({ storage, projectIds, clock, log, retentionDays }: HousekeepingOptions): () => void {
  const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();

  const steps: readonly HousekeepingStep[] = [
    { name: "run logs", everyMs: MINUTE_MS, run: () => storage.runs.forget(LOG_MS).then(() => 0) },
    { name: "unsent uploads", everyMs: HOUR_MS, run: () => storage.attachments.expire(ago(UNSENT_MS)) },
    ...(retentionDays === undefined ? [] : projectIds.map((id) => retention(id, retentionDays))),
  ];

  function retention(projectId: string, days: number): HousekeepingStep {
    return {
      name: `threads of project ${projectId}`,
      everyMs: HOUR_MS,
      run: () => storage.visitors.expire(projectId, ago(days * DAY_MS)),
    };
  }

  async function runStep({ name, run }: HousekeepingStep): Promise<void> {
    try {
      const dropped = await run();
      if (dropped > 0) log.info({ step: name, dropped }, "expired data was dropped");
    } catch (error) {
      log.warn({ step: name, error: describeError(error) }, "expired data could not be dropped");
    }
  }

  async function runAll(due: readonly HousekeepingStep[]): Promise<void> {
    for (const step of due) await runStep(step);
  }

  const timers = [...Map.groupBy(steps, ({ everyMs }) => everyMs)].map(([everyMs, due]) => {
    void runAll(due);
    return setInterval(() => void runAll(due), everyMs).unref();
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
