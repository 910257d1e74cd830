import type { Storage } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";

export interface HousekeepingOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly log: Log;
  /** How long the threads of a project are kept. Projects that are not configured any more are asked about, too. */
  readonly retentionOf: (projectId: string) => Retention;
}

/** How long threads are kept, in days; `null` for ever. */
export interface Retention {
  /** Days after somebody touched a thread last. */
  readonly retentionDays: number | null;
  /** Days after a thread was archived. */
  readonly archiveDays: number | null;
}

/** A project's own days, and for what it leaves open those of the server. */
export function retentionOf(
  project: { readonly [Rule in keyof Retention]: Retention[Rule] | undefined } | undefined,
  server: Retention,
): Retention {
  const { retentionDays = server.retentionDays, archiveDays = server.archiveDays } = project ?? {};
  return { retentionDays, archiveDays };
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
export function startHousekeeping({ storage, retentionOf, clock, log }: HousekeepingOptions): () => void {
  const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();

  const steps: readonly HousekeepingStep[] = [
    { name: "run logs", everyMs: MINUTE_MS, run: () => storage.runs.forget(LOG_MS).then(() => 0) },
    { name: "files", everyMs: MINUTE_MS, run: () => storage.attachments.sweep(ago(0)) },
    { name: "unsent uploads", everyMs: HOUR_MS, run: () => storage.attachments.expire(ago(UNSENT_MS)) },
    { name: "archived threads", everyMs: HOUR_MS, run: () => expire("expireArchived", "archiveDays") },
    { name: "untouched threads", everyMs: HOUR_MS, run: () => expire("expire", "retentionDays") },
    // Last: it takes what the others have dropped out of the database's files.
    { name: "freed space", everyMs: HOUR_MS, run: () => storage.reclaim().then(() => 0) },
  ];

  async function expire(how: "expire" | "expireArchived", rule: keyof Retention): Promise<number> {
    let dropped = 0;
    for (const projectId of await storage.visitors.projects()) {
      const days = retentionOf(projectId)[rule];
      if (days !== null) dropped += await storage.visitors[how](projectId, ago(days * DAY_MS));
    }
    return dropped;
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
