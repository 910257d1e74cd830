import { ChatError } from "../../chat-error.ts";
import type { Owner, Storage, StoredRun } from "../../storage/storage.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { MAX_SEQ } from "./event-id.ts";
import { CANCEL_MS, RETRY_AFTER_S } from "../timings.ts";
import { LATE, within } from "../waiting/within.ts";

export interface CancelOptions {
  readonly storage: Storage;
  readonly activeRuns: Pick<ActiveRuns, "find" | "findIn">;
}

/**
 * Stops the run in progress, on any instance, and waits until its end is stored.
 *
 * @returns whether there was one; `undefined` when there is no such thread
 * @throws ChatError `unavailable` when the end is not stored in time; its message says why
 */
export async function cancelRun(
  owner: Owner,
  threadId: string,
  { storage, activeRuns }: CancelOptions,
): Promise<boolean | undefined> {
  try {
    const run = await storage.runs.findRunning(owner, threadId);
    if (!run) return (await storage.threads.find(owner, threadId)) ? false : undefined;
    const active = activeRuns.find(run.runId);
    await (active ? stopHere(active) : stopElsewhere(run, storage));
  } catch (error) {
    // While the database is unavailable, a run of this process can still be stopped.
    const active = error instanceof StorageUnavailableError ? activeRuns.findIn(owner, threadId) : undefined;
    if (!active) throw error;
    await stopHere(active);
  }
  return true;
}

function stopHere(run: ActiveRun): Promise<void> {
  run.stop({ type: "cancelled" });
  return orUnavailable(
    run.ended,
    "The answer is stopped, but the database is unavailable. The answer is stored once the database is back.",
  );
}

async function stopElsewhere({ runId }: StoredRun, { events, signals }: Storage): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const stopFollowing = events.follow(runId, MAX_SEQ, (batch) => {
    if (batch.end) ended.resolve();
  });
  try {
    await signals.publish({ type: "cancel", runId });
    await orUnavailable(
      ended.promise,
      "The server that writes the answer has not stopped it yet. If it is gone, the answer ends within half a minute.",
    );
  } finally {
    stopFollowing();
  }
}

async function orUnavailable(ended: Promise<void>, message: string): Promise<void> {
  if ((await within(ended, CANCEL_MS)) !== LATE) return;
  throw new ChatError("unavailable", message, { retryAfter: RETRY_AFTER_S.database });
}
