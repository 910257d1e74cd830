import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { MAX_TITLE_CHARS, cleanTitle, shortTitle } from "@nitka/protocol/thread-title";
import type { Model, ReportAgain, ReportUsage, VisitorIdentity } from "../../model/model.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { startDeadline } from "../waiting/deadline.ts";
import { describeError } from "../describe-error.ts";
import { REQUEST_AGAIN } from "../log.ts";
import type { Log } from "../log.ts";
import type { Timings } from "../timings.ts";

/** Gives threads their first titles. */
export interface TitleService {
  /**
   * Titles a thread after its first exchange, and stores the title.
   *
   * @param exchange the question and its answer
   * @param onUsage gets the tokens of the request to the model, even if the title comes too late
   * @returns the stored title; `undefined` when the visitor has set one, or when another call is making one
   */
  title(
    run: { readonly runId: string; readonly owner: Owner },
    threadId: string,
    model: Model,
    exchange: readonly Message[],
    onUsage?: ReportUsage,
    asker?: VisitorIdentity,
  ): Promise<string | undefined>;
}

export interface TitleServiceOptions {
  readonly storage: Storage;
  readonly logger: Log;
  /** The sum is the time limit of the model for a title. */
  readonly timings: Pick<Timings, "titleBeforeFinishMs" | "titleMs">;
  /** Aborted when the server closes: the title is then made from the words of the question. */
  readonly closing: AbortSignal;
}

export function createTitleService({ storage, logger, timings, closing }: TitleServiceOptions): TitleService {
  const timeoutMs = timings.titleBeforeFinishMs + timings.titleMs;
  const titling = new Set<string>();

  async function titleOfModel(
    model: Model,
    history: readonly Message[],
    onUsage: ReportUsage = () => undefined,
    asker?: VisitorIdentity,
  ): Promise<string | undefined> {
    const { signal, over, stop } = startDeadline(timeoutMs, [closing]);
    try {
      const onAgain: ReportAgain = (again) => logger.warn({ purpose: "title", ...again }, REQUEST_AGAIN);
      const asked = model.title({ history, signal, onUsage, onAgain, asker });
      return cleanTitle((await Promise.race([asked, over])) ?? "");
    } catch (error) {
      logger.warn({ error: describeError(error), model: model.id }, "the model gave no title");
      return undefined;
    } finally {
      stop();
    }
  }

  return {
    async title(run, threadId, model, exchange, onUsage, asker) {
      if (titling.has(threadId)) return undefined;
      titling.add(threadId);
      try {
        const title = (await titleOfModel(model, exchange, onUsage, asker)) ?? titleOfQuestion(exchange);
        if (title === undefined) return undefined;
        const taken = await asRunOwner(storage.runs, run, (owner) =>
          storage.threads.rename(owner, threadId, title, "model"),
        );
        return taken ? title : undefined;
      } catch (error) {
        logger.warn({ error: describeError(error), threadId }, "a title could not be stored");
        return undefined;
      } finally {
        titling.delete(threadId);
      }
    },
  };
}

/** The first words of the question, or the name of its first attachment. */
function titleOfQuestion(exchange: readonly Message[]): string | undefined {
  const question = exchange.find(({ role }) => role === "user");
  if (!question) return undefined;
  const words = cleanTitle(textOf(question).slice(0, 4 * MAX_TITLE_CHARS)) ?? question.attachments?.[0]?.name;
  return words && shortTitle(words);
}
