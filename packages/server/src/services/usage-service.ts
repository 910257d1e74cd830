import { setTimeout as sleep } from "node:timers/promises";
import type { ModelCall } from "../model/model.ts";
import type { Owner, Storage } from "../storage/storage.ts";
import type { UsedTokens } from "../storage/usage.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import type { RunMetrics } from "./run-metrics.ts";

/** Counts what calls of models take. */
export interface UsageService {
  /** Shows a call in the metrics: once for each. */
  show(owner: Owner, call: ModelCall): void;
  /** Shows a call that is no part of an answer, such as a title's, and stores it. */
  record(owner: Owner, threadId: string, call: ModelCall): void;
  /** Resolves when everything recorded is stored, or after a moment. */
  settle(): Promise<void>;
}

export interface UsageServiceOptions {
  readonly storage: Pick<Storage, "usage">;
  readonly metrics: RunMetrics;
  readonly log: Log;
  readonly clock: () => Date;
}

/** Between two attempts to store a call. */
const RETRIES_MS = [250, 1_000, 4_000, 15_000];

/** For how long a closing server waits for calls to be stored. */
const SETTLE_MS = 2_000;

export function createUsageService({ storage, metrics, log, clock }: UsageServiceOptions): UsageService {
  const pending = new Set<Promise<void>>();

  async function store(owner: Owner, threadId: string, call: ModelCall): Promise<void> {
    const at = clock().toISOString();
    for (const retryMs of [...RETRIES_MS, undefined]) {
      try {
        return await storage.usage.add(owner, threadId, [usedTokens(call)], at);
      } catch (error) {
        if (retryMs === undefined) {
          return log.error({ threadId, ...call, error: describeError(error) }, "the tokens of a call are not counted");
        }
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  function show({ projectId }: Owner, call: ModelCall): void {
    metrics.used({ projectId, ...call });
  }

  return {
    show,
    record(owner, threadId, call) {
      show(owner, call);
      const storing = store(owner, threadId, call).finally(() => pending.delete(storing));
      pending.add(storing);
    },
    settle: async () => {
      await Promise.race([Promise.all(pending), sleep(SETTLE_MS, undefined, { ref: false })]);
    },
  };
}

/** A call as the storage adds it to its sums. */
export function usedTokens({ estimated, ...call }: ModelCall): UsedTokens {
  return { ...call, calls: 1, estimatedCalls: estimated ? 1 : 0 };
}
