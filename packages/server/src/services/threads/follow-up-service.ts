import type { Message } from "@nitka/protocol";
import type { Model, ReportAgain, ReportUsage, VisitorIdentity } from "../../model/model.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { startDeadline } from "../waiting/deadline.ts";
import { describeError } from "../describe-error.ts";
import { cleanSuggestions } from "../runs/host-content.ts";
import { REQUEST_AGAIN } from "../log.ts";
import type { Log } from "../log.ts";
import type { Timings } from "../timings.ts";

/** Suggests follow-up questions after an answer. */
export interface FollowUpService {
  /**
   * Asks the model for suggestions, stores them, and sends them to the run's readers. Nothing is stored or sent when
   * the model is late, when the thread gets its next question meanwhile, or when it is archived. Never rejects.
   *
   * @param exchange the question and its answer
   * @param onUsage gets the tokens of the request to the model, even if the suggestions are dropped
   */
  suggest(
    run: Pick<ActiveRun, "runId" | "threadId" | "owner" | "record" | "left" | "sendUnlogged">,
    model: Model,
    exchange: readonly Message[],
    onUsage: ReportUsage,
    asker?: VisitorIdentity,
  ): Promise<void>;
}

export interface FollowUpServiceOptions {
  readonly storage: Pick<Storage, "messages" | "runs">;
  readonly logger: Log;
  readonly timings: Pick<Timings, "followUpsMs">;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

export function createFollowUpService({ storage, logger, timings, closing }: FollowUpServiceOptions): FollowUpService {
  return {
    async suggest(run, model, exchange, onUsage, asker) {
      const { signal, over, stop } = startDeadline(timings.followUpsMs, [closing, run.left]);
      const onAgain: ReportAgain = (again) => logger.warn({ purpose: "suggestions", ...again }, REQUEST_AGAIN);
      try {
        const asked = model.suggest?.({ history: exchange, signal, onUsage, onAgain, asker });
        const suggestions = cleanSuggestions((await Promise.race([asked, over])) ?? []);
        if (suggestions.length === 0 || signal.aborted) return;
        const isStored = await asRunOwner(storage.runs, run, (owner) =>
          storage.messages.suggest(owner, run.threadId, run.record.answerId, suggestions),
        );
        if (isStored) run.sendUnlogged({ type: "data-suggestions", suggestions });
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error: describeError(error), model: model.id }, "the model gave no suggestions");
      } finally {
        stop();
      }
    },
  };
}
