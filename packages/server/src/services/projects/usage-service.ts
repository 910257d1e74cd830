import { setTimeout as sleep } from "node:timers/promises";
import type { ModelCall } from "../../model/model.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { UsedTokens } from "../../storage/usage.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import type { RunMetrics } from "../run-metrics.ts";
import { spentTelling } from "./run-telling.ts";
import type { ToldProject } from "./run-telling.ts";
import { SETTLE_USAGE_MS, USAGE_RETRIES_MS } from "../timings.ts";

/** Counts the tokens that models use. */
export interface UsageService {
  /** Counts a request to a model in the metrics. */
  count(owner: Owner, call: ModelCall): void;
  /** Counts and stores a request that is not part of an answer, such as a title's. */
  record(owner: Owner, threadId: string, call: ModelCall): void;
  /** Resolves when all recorded tokens are stored, or after `SETTLE_USAGE_MS`. */
  settle(): Promise<void>;
}

export interface UsageServiceOptions {
  readonly storage: Pick<Storage, "usage">;
  readonly metrics: RunMetrics;
  readonly logger: Log;
  readonly clock: () => Date;
  readonly projects: ReadonlyMap<string, ToldProject>;
}

export function createUsageService({ storage, metrics, logger, clock, projects }: UsageServiceOptions): UsageService {
  const pending = new Set<Promise<void>>();

  async function store(owner: Owner, threadId: string, call: ModelCall): Promise<void> {
    const at = clock().toISOString();
    const project = projects.get(owner.projectId);
    const spent = project && spentTelling(project);
    for (const retryMs of [...USAGE_RETRIES_MS, undefined]) {
      try {
        return await storage.usage.add(owner, threadId, [usedTokens(call)], at, spent);
      } catch (error) {
        if (retryMs === undefined) {
          return logger.error(
            { threadId, ...call, error: describeError(error) },
            "the tokens of a request to a model could not be stored",
          );
        }
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  function count({ projectId }: Owner, call: ModelCall): void {
    metrics.tokensUsed({ projectId, ...call });
  }

  return {
    count,
    record(owner, threadId, call) {
      count(owner, call);
      const storing = store(owner, threadId, call).finally(() => pending.delete(storing));
      pending.add(storing);
    },
    settle: async () => {
      await Promise.race([Promise.all(pending), sleep(SETTLE_USAGE_MS, undefined, { ref: false })]);
    },
  };
}

/** A request to a model in the form that the storage sums. */
export function usedTokens({ estimated, ...call }: ModelCall): UsedTokens {
  return { ...call, calls: 1, estimatedCalls: estimated ? 1 : 0 };
}
