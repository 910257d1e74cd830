/** How a run ends, and how its end is stored. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Message, MessageStatus, StreamEvent } from "@nitka/protocol";
import type { ModelEnd } from "../../model/model.ts";
import { StorageUnavailableError } from "../../storage/storage.ts";
import type { EndFigures, Storage } from "../../storage/storage.ts";
import type { UsedTokens } from "../../storage/usage.ts";
import type { RunTelling } from "../../storage/webhooks.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import type { ActiveRun, StopReason } from "../runs/active-run.ts";
import type { EventLogWriter } from "../runs/event-log-writer.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { endOf } from "../runs/replay.ts";
import { runFailure } from "../runs/run-failure.ts";
import { END_BACKOFF } from "../timings.ts";

export interface EndOptions {
  readonly storage: Storage;
  readonly eventLog: EventLogWriter;
  readonly logger: Log;
  readonly clock: () => Date;
  /** Aborted when the server has closed: an end that is not stored yet is abandoned. */
  readonly closed: AbortSignal;
}

export type Outcome = StopReason | { readonly type: "complete"; readonly end: ModelEnd };

/** The data to store at the end of a run. */
interface Result {
  readonly answer: Message;
  readonly used: readonly UsedTokens[];
  readonly figures: EndFigures;
  readonly telling: RunTelling | undefined;
}

/** After this many refusals by a reachable database, the answer is stored without its content. */
const MAX_REFUSALS = 3;

export function statusOf(outcome: Outcome): MessageStatus {
  switch (outcome.type) {
    case "complete": {
      const { cutOff } = outcome.end;
      return cutOff === undefined ? { type: "complete" } : { type: "incomplete", reason: cutOff };
    }
    case "failed":
      return { type: "incomplete", reason: "error", error: outcome.text, code: outcome.code };
    case "cancelled":
      return { type: "incomplete", reason: "cancelled" };
    case "interrupted":
    case "lost":
      return { type: "incomplete", reason: "interrupted" };
    default:
      return outcome satisfies never;
  }
}

/**
 * Stores the end, and retries while the database is unavailable: the whole answer stays in memory.
 *
 * @returns the events of the end. When another instance has ended the run, these describe the end that it has stored.
 */
export async function storeEnd(
  run: ActiveRun,
  { answer, used, figures, telling }: Result,
  { storage, eventLog, logger, clock, closed }: EndOptions,
): Promise<readonly StreamEvent[]> {
  const { runId, threadId, answerId, instanceId } = run.record;
  const at = clock().toISOString();
  let storable = answer;
  let refusals = 0;
  for (let retryMs = END_BACKOFF.firstMs; !closed.aborted; retryMs = Math.min(2 * retryMs, END_BACKOFF.lastMs)) {
    try {
      const tail = [...eventLog.unstored(runId)];
      const ended = await storage.runs.end(runId, storable, at, {
        log: { seq: run.seq, tail, instanceId },
        used,
        figures,
        telling,
      });
      if (ended) return endOf(storable);
      const stored = await asRunOwner(storage.runs, run, (owner) => storage.messages.find(owner, threadId, answerId));
      // The instance that ended the run has counted its tokens. If the thread was deleted, no instance has.
      if (!stored) await storage.usage.add(run.owner, threadId, used, at, telling?.spent);
      return endOf(stored?.status?.type === "incomplete" ? stored : answer);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) refusals += 1;
      if (refusals === MAX_REFUSALS) storable = { ...answer, content: [], status: notKept };
      const described = { runId, threadId, error: describeError(error), retryMs };
      logger.error(described, "the end of a run could not be stored; it is retried");
      await sleep(retryMs, undefined, { signal: closed }).catch(() => undefined);
    }
  }
  return endOf({ status: notKept });
}

/** The status of an answer that could not be stored. */
const notKept = statusOf(runFailure("not_kept"));
