import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import type { Model, ReportUsage } from "../model/model.ts";
import type { Owner, Storage } from "../storage/storage.ts";
import { asOwner } from "./as-owner.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import type { Timings } from "./timings.ts";
import { MAX_TITLE_CHARS, cleanTitle } from "./thread-title.ts";

/** Gives threads their first titles. */
export interface TitleService {
  /**
   * Titles a thread after its first exchange, and stores the title.
   *
   * @param exchange the question and its answer
   * @param onUsage told what the model's call took; also after a title that took too long was given up
   * @returns the title as the list now says it; `undefined` when the visitor has given one, or is given one already
   */
  title(
    run: { readonly runId: string; readonly owner: Owner },
    threadId: string,
    model: Model,
    exchange: readonly Message[],
    onUsage?: ReportUsage,
  ): Promise<string | undefined>;
}

export interface TitleServiceOptions {
  readonly storage: Storage;
  readonly log: Log;
  /** For how long the model may think about a title; then the question's own words make it. */
  readonly timings: Pick<Timings, "titleBeforeFinishMs" | "titleMs">;
  /** Aborted when the server closes: no time for thinking then. */
  readonly closing: AbortSignal;
}

export function createTitleService({ storage, log, timings, closing }: TitleServiceOptions): TitleService {
  const patienceMs = timings.titleBeforeFinishMs + timings.titleMs;
  const titling = new Set<string>();

  async function ask(
    model: Model,
    history: readonly Message[],
    onUsage: ReportUsage = () => undefined,
  ): Promise<string | undefined> {
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), closing]);
    try {
      const asked = model.title({ history, signal, onUsage });
      return cleanTitle((await Promise.race([asked, whenAborted(signal)])) ?? "");
    } catch (error) {
      log.warn({ error: describeError(error), model: model.id }, "the model gave no title");
      return undefined;
    }
  }

  return {
    async title(run, threadId, model, exchange, onUsage) {
      if (titling.has(threadId)) return undefined;
      titling.add(threadId);
      try {
        const title = (await ask(model, exchange, onUsage)) ?? titleOfQuestion(exchange);
        if (title === undefined) return undefined;
        const taken = await asOwner(storage.runs, run, async (owner) =>
          (await storage.threads.rename(owner, threadId, title, "model")) ? true : undefined,
        );
        return taken ? title : undefined;
      } catch (error) {
        log.warn({ error: describeError(error), threadId }, "a title could not be stored");
        return undefined;
      } finally {
        titling.delete(threadId);
      }
    },
  };
}

const MAX_WORDS_CHARS = 60;

/** The question's first words, or the name of what came with it. */
function titleOfQuestion(exchange: readonly Message[]): string | undefined {
  const question = exchange.find(({ role }) => role === "user");
  if (!question) return undefined;
  const words = cleanTitle(textOf(question).slice(0, 4 * MAX_TITLE_CHARS)) ?? question.attachments?.[0]?.name;
  if (words === undefined || words.length <= MAX_WORDS_CHARS) return words;
  const head = words.slice(0, MAX_WORDS_CHARS);
  const space = head.lastIndexOf(" ");
  return `${(space > MAX_WORDS_CHARS / 2 ? head.slice(0, space) : head).replace(/[\s.,:;—-]+$/, "").toWellFormed()}…`;
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
