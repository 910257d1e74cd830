import type { LoggedEvent, Storage } from "../storage/storage.ts";
import type { Log } from "./log.ts";

export interface EventLog {
  add(event: LoggedEvent): void;
  /** What was added and is not kept yet, in order. */
  unflushed(runId: string): readonly LoggedEvent[];
  /**
   * Resolves when everything added so far is kept.
   *
   * @param patienceMs for how long a database that does not answer is waited for; then it rejects
   */
  flush(patienceMs: number): Promise<void>;
  /** Milliseconds since when nothing could be kept; 0 when all is well. */
  failingFor(): number;
  stop(): void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** Gathers the events of every run of this process and keeps them in batches, one after the other. */
export function createEventLog(events: Storage["events"], log: Log): EventLog {
  let batch: LoggedEvent[] = [];
  let writing: readonly LoggedEvent[] = [];
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failingSince: number | undefined;
  let stopped = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void work();
    }, events.flushMs);
  }

  function work(): Promise<void> {
    working ??= writeAll().finally(() => {
      working = undefined;
    });
    return working;
  }

  async function writeAll(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      if (stopped || batch.length === 0) return;
      // Taken back on failure: the storage knows what it has already and doubles nothing.
      writing = batch;
      batch = [];
      try {
        await events.append(writing);
        writing = [];
        failingSince = undefined;
      } catch (error) {
        batch = [...writing, ...batch];
        writing = [];
        failingSince ??= Date.now();
        log.warn({ err: error, events: batch.length, retryMs }, "events could not be kept; trying again");
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
      }
    }
  }

  return {
    add(event) {
      batch.push(event);
      schedule();
    },
    unflushed: (runId) => [...writing, ...batch].filter((event) => event.runId === runId),
    async flush(patienceMs) {
      // A batch that is being written may have left before the last events came: those are the next one's.
      const kept = (async () => {
        await work();
        await work();
      })();
      await within(kept, patienceMs);
      if (failingSince !== undefined) throw new Error("The events of the run could not be kept");
    },
    failingFor: () => (failingSince === undefined ? 0 : Date.now() - failingSince),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function within(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The database has not answered for ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
