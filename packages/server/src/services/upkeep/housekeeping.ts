import type { Parts, Storage } from "../../storage/storage.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { DAY_MS, HOUSEKEEPING } from "../timings.ts";
import type { Timings } from "../timings.ts";

export interface HousekeepingOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly logger: Log;
  readonly timings: Pick<Timings, "sweepMs" | "restoreMs">;
  /** The retention of a project's threads. It is called for every project with data, configured or not. */
  readonly retentionOf: (projectId: string) => Retention;
}

/** How long threads are kept, in days; `null` for ever. */
export interface Retention {
  /** Days after the last change of a thread. */
  readonly retentionDays: number | null;
  /** Days after a thread was archived. */
  readonly archiveDays: number | null;
}

/** The project's retention, with the server's values where the project sets none. */
export function retentionOf(
  project: { readonly [Rule in keyof Retention]: Retention[Rule] | undefined } | undefined,
  server: Retention,
): Retention {
  const { retentionDays = server.retentionDays, archiveDays = server.archiveDays } = project ?? {};
  return { retentionDays, archiveDays };
}

/** Expired data of one kind, and of one project if each project has its own retention. */
interface Expired {
  /** The kind of data, for the log. */
  readonly step: string;
  readonly projectId?: string;
  /** Drops the data. */
  readonly parts: Parts;
}

/** Kinds of data that are dropped in turns. A round that hangs does not block other rounds. */
interface Round {
  /** The name of the round, for the log. */
  readonly name: string;
  readonly everyMs: number;
  readonly expired: () => Promise<readonly Expired[]>;
}

/**
 * Drops expired data: now, and then every `everyMs` of each round. Within a round, each kind and each project gets one
 * part per turn, so that none waits for another to finish. A failed one is retried in the next round. Returns a
 * function that stops the housekeeping.
 */
export function startHousekeeping({ storage, retentionOf, clock, logger, timings }: HousekeepingOptions): () => void {
  let stopped = false;
  /** Deleted data can be restored for this long, whatever the retention of its project. */
  const restorableMs = (timings.restoreMs * 61) / 60;
  const ago = (ms: number) => new Date(clock().getTime() - ms).toISOString();

  const rounds: readonly Round[] = [
    {
      name: "run logs",
      everyMs: timings.sweepMs,
      expired: () => Promise.resolve([{ step: "run logs", parts: storage.runs.forget(HOUSEKEEPING.logMs) }]),
    },
    {
      name: "files",
      everyMs: timings.sweepMs,
      expired: () =>
        Promise.resolve([
          { step: "files of deleted threads", parts: storage.attachments.expireArchived(ago(restorableMs)) },
          { step: "files", parts: storage.attachments.sweep(ago(0)) },
        ]),
    },
    { name: "retention", everyMs: HOUSEKEEPING.rarelyMs, expired: expiredByDays },
  ];

  async function expiredByDays(): Promise<readonly Expired[]> {
    const projects = await attempt({ step: "projects" }, () => storage.visitors.projects());
    return [
      { step: "unsent uploads", parts: storage.attachments.expire(ago(HOUSEKEEPING.unsentMs)) },
      ...(projects ?? []).flatMap(expiredIn),
    ];
  }

  function expiredIn(projectId: string): readonly Expired[] {
    const { retentionDays, archiveDays } = retentionOf(projectId);
    const usageDays = Math.min(retentionDays ?? HOUSEKEEPING.usageDays, HOUSEKEEPING.usageDays);
    const before = (days: number) => ago(days * DAY_MS);
    const beforeRestorable = (days: number) => ago(Math.max(days * DAY_MS, restorableMs));
    const { visitors, usage } = storage;
    return [
      ...(archiveDays === null
        ? []
        : [
            {
              step: "archived threads",
              projectId,
              parts: visitors.expireArchived(projectId, beforeRestorable(archiveDays)),
            },
          ]),
      ...(retentionDays === null
        ? []
        : [{ step: "untouched threads", projectId, parts: visitors.expire(projectId, before(retentionDays)) }]),
      { step: "visitors' usage", projectId, parts: usage.expire(projectId, before(usageDays)) },
    ];
  }

  /** Logs an error with `what` instead of throwing it. */
  async function attempt<T>(what: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ ...what, error: describeError(error) }, "expired data could not be dropped");
      return undefined;
    }
  }

  async function run({ name, expired }: Round): Promise<void> {
    const dropped = new Map<string, number>();
    const left = new Map((await expired()).map((one) => [one, one.parts[Symbol.asyncIterator]()]));
    while (left.size > 0) {
      for (const [one, parts] of left) {
        if (stopped) return;
        const { step, projectId } = one;
        const start = performance.now();
        const part = await attempt({ step, projectId }, () => parts.next());
        if (!part || part.done === true) left.delete(one);
        else dropped.set(step, (dropped.get(step) ?? 0) + part.value);
        await pause(Math.min((performance.now() - start) * HOUSEKEEPING.pauses, HOUSEKEEPING.longestPauseMs));
      }
    }
    if (name === "run logs") return;
    for (const [step, count] of dropped) logger.info({ step, dropped: count }, "expired data was dropped");
    // Last, because it removes from the database's files what the others have dropped.
    if (name === "retention" && !stopped) await attempt({ step: "freed space" }, () => storage.reclaim("space"));
  }

  const timers = rounds.map((round) => {
    let running = false;
    const start = () => {
      if (running) return logger.info({ round: round.name }, "expired data is still being dropped");
      running = true;
      void run(round).finally(() => {
        running = false;
      });
    };
    start();
    return setInterval(start, round.everyMs).unref();
  });
  return () => {
    stopped = true;
    for (const timer of timers) clearInterval(timer);
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
