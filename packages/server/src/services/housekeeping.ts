import type { Storage } from "../storage/storage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import { DAY_MS, HOUSEKEEPING } from "./timings.ts";

export interface HousekeepingOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly logger: Log;
  /** How long the threads of a project are kept. It is asked about every project with data, configured or not. */
  readonly retentionOf: (projectId: string) => Retention;
}

/** How long threads are kept, in days; `null` for any time. */
export interface Retention {
  /** Days after the last change of a thread. */
  readonly retentionDays: number | null;
  /** Days after a thread was archived. */
  readonly archiveDays: number | null;
}

/** The days of a project, or those of the server where the project has none. */
export function retentionOf(
  project: { readonly [Rule in keyof Retention]: Retention[Rule] | undefined } | undefined,
  server: Retention,
): Retention {
  const { retentionDays = server.retentionDays, archiveDays = server.archiveDays } = project ?? {};
  return { retentionDays, archiveDays };
}

/** One kind of data that expires. When a step fails the others run all the same. */
interface HousekeepingStep {
  /** What it deletes, for the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Returns how many it has deleted. 0 leaves no line in the log. */
  readonly run: () => Promise<number>;
}

/** Deletes data that has expired: now, and every `everyMs` of each step. Returns a function that stops it. */
export function startHousekeeping({ storage, retentionOf, clock, logger }: HousekeepingOptions): () => void {
  const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();

  const steps: readonly HousekeepingStep[] = [
    {
      name: "run logs",
      everyMs: HOUSEKEEPING.oftenMs,
      run: () => storage.runs.forget(HOUSEKEEPING.logMs).then(() => 0),
    },
    { name: "files", everyMs: HOUSEKEEPING.oftenMs, run: () => storage.attachments.sweep(ago(0)) },
    {
      name: "unsent uploads",
      everyMs: HOUSEKEEPING.rarelyMs,
      run: () => storage.attachments.expire(ago(HOUSEKEEPING.unsentMs)),
    },
    { name: "archived threads", everyMs: HOUSEKEEPING.rarelyMs, run: () => expire("expireArchived", "archiveDays") },
    { name: "untouched threads", everyMs: HOUSEKEEPING.rarelyMs, run: () => expire("expire", "retentionDays") },
    // Last, because it takes what the others have deleted out of the database's files.
    { name: "freed space", everyMs: HOUSEKEEPING.rarelyMs, run: () => storage.reclaim().then(() => 0) },
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
      if (dropped > 0) logger.info({ step: name, dropped }, "expired data was dropped");
    } catch (error) {
      logger.warn({ step: name, error: describeError(error) }, "expired data could not be dropped");
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
