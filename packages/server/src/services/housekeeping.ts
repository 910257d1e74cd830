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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Logs of ended runs are for readers that are still behind. */
const LOG_MS = HOUR_MS;
const UNSENT_MS = DAY_MS;

/** Drops what nobody needs any more, at once and then every hour. Returns its stop. */
export function startHousekeeping({ storage, projectIds, clock, log, retentionDays }: HousekeepingOptions): () => void {
  async function tidy(): Promise<void> {
    const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();
    await storage.runs.forget(ago(LOG_MS));
    const uploads = await storage.attachments.expire(ago(UNSENT_MS));
    let threads = 0;
    if (retentionDays !== undefined) {
      for (const projectId of projectIds)
        threads += await storage.visitors.expire(projectId, ago(retentionDays * DAY_MS));
    }
    if (uploads + threads > 0) log.info({ uploads, threads }, "expired data was dropped");
  }

  const run = () => {
    tidy().catch((error: unknown) => log.warn({ error: describeError(error) }, "expired data could not be dropped"));
  };
  const timer = setInterval(run, HOUR_MS);
  timer.unref();
  run();
  return () => clearInterval(timer);
}
