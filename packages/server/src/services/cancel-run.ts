import { ChatError } from "../chat-error.ts";
import type { Owner, Storage, StoredRun } from "../storage/storage.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { MAX_SEQ } from "./event-id.ts";

export interface CancelOptions {
  readonly storage: Storage;
  readonly activeRuns: Pick<ActiveRuns, "find" | "findIn">;
}

/** For how long a cancel waits for the run to be over before it answers. */
const PATIENCE_MS = 5_000;

/**
 * Stops the run in progress, whichever instance pumps it, and waits until its end is stored.
 *
 * @returns whether there was one; `undefined` when there is no such thread
 * @throws ChatError `unavailable` when the end is not stored yet, and says why
 */
export async function cancelRun(
  owner: Owner,
  threadId: string,
  { storage, activeRuns }: CancelOptions,
): Promise<boolean | undefined> {
  try {
    if (!(await storage.threads.find(owner, threadId))) return undefined;
    const run = await storage.runs.findRunning(owner, threadId);
    if (!run) return false;
    const active = activeRuns.find(run.runId);
    await (active ? stopHere(active) : stopElsewhere(run, storage));
  } catch (error) {
    // A run of this process can be stopped while the database is away.
    const active = error instanceof StorageUnavailableError ? activeRuns.findIn(owner, threadId) : undefined;
    if (!active) throw error;
    await stopHere(active);
  }
  return true;
}

function stopHere(run: ActiveRun): Promise<void> {
  run.stop({ type: "cancelled" });
  return inTime(run.ended, "The answer has stopped, but the database cannot store it now. It will as soon as it can.");
}

async function stopElsewhere({ runId }: StoredRun, { events, signals }: Storage): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const stopFollowing = events.follow(runId, MAX_SEQ, (batch) => {
    if (batch.end) ended.resolve();
  });
  try {
    await signals.publish({ type: "cancel", runId });
    await inTime(
      ended.promise,
      "The server that writes the answer has not stopped it yet. If it is gone, the answer ends within half a minute.",
    );
  } finally {
    stopFollowing();
  }
}

async function inTime(over: Promise<void>, otherwise: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChatError("unavailable", otherwise, { retryAfter: 5 })), PATIENCE_MS);
  });
  await Promise.race([over, late]).finally(() => clearTimeout(timer));
}
