import type { Message, StreamEvent } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import { fileOfDataUrl, isDataUrl } from "../data-url.ts";
import { isRussian } from "../question-language.ts";
import type { Storage } from "../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import { asOwner } from "./as-owner.ts";
import { describeError } from "./describe-error.ts";
import { keepFile } from "./keep-file.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { Log } from "./log.ts";
import type { NewId } from "./new-id.ts";
import type { Limits } from "./project.ts";

/** Takes an event of a model to what is told, logged and stored in its place. */
export type KeepFiles = (event: StreamEvent) => Promise<readonly StreamEvent[]>;

export interface AnswerFilesOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly newId: NewId;
  readonly log: Pick<Log, "warn">;
}

/** What a project lets visitors send does not bind its model: only their size and the room for them do. */
const rules = { accept: "", maxBytes: 25_000_000, maxCount: Number.POSITIVE_INFINITY };

/** What the visitor reads in place of a file that could not be kept. */
const sentences = {
  ru: "*Файл из ответа не сохранён: он слишком большой, повреждён, или для файлов больше нет места.*",
  en: "*A file of this answer was not kept: it is too large, damaged, or there is no more room for files.*",
} as const;

/**
 * The files that a model makes become attachments of its answer: whoever reads it, now or later, is given their
 * addresses. One that cannot be kept leaves a sentence, and the answer goes on.
 */
export function answerFiles(
  { run, owner }: Pick<ActiveRun, "run" | "owner">,
  question: Message,
  limits: Pick<Limits, "storageBytes" | "projectStorageBytes">,
  { storage, clock, newId, log }: AnswerFilesOptions,
): KeepFiles {
  const { runId, threadId, answerId: messageId } = run;
  let missing = 0;

  function keep(file: () => IncomingFile) {
    return asOwner(storage.runs, { runId, owner }, async (ofNow) => {
      const keeping = { storage, owner: ofNow, threadId, messageId, rules, limits, clock, newId };
      return keepFile(file(), keeping).catch(noThread);
    });
  }

  return async (event) => {
    if (event.type !== "file" || !isDataUrl(event.url)) return [event];
    const { mediaType, filename: name = mediaType.replace("/", ".") } = event;
    try {
      const inline = fileOfDataUrl(event.url);
      if (!inline?.isWhole()) throw new ChatError("unprocessable", `The file ${name} is not whole.`);
      const { pieces, size: atMost } = inline;
      const kept = await keep(() => ({ name, contentType: mediaType, pieces: pieces(), atMost }));
      // The thread is gone, and the run with it: what it still says nobody reads.
      return kept ? [{ ...event, url: kept.url, mediaType: kept.contentType }] : [];
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      log.warn({ runId, error: describeError(error) }, "a file of an answer was not kept");
      missing += 1;
      const id = `missing-file-${missing}`;
      return [
        { type: "text-start", id },
        { type: "text-delta", id, delta: sentences[isRussian(question) ? "ru" : "en"] },
        { type: "text-end", id },
      ];
    }
  };
}

function noThread(error: unknown): undefined {
  if (!(error instanceof ChatError && error.code === "not_found")) throw error;
}
