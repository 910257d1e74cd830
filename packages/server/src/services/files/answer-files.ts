import type { Message, StreamEvent } from "@nitka/protocol";
import { isDataUrl } from "@nitka/protocol/data-url";
import { ChatError } from "../../chat-error.ts";
import { fileOfDataUrl } from "../../data-url.ts";
import { isRussian } from "../../question-language.ts";
import { FileRefusedError } from "../../storage/storage.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { describeError } from "../describe-error.ts";
import { keepFile } from "./keep-file.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { Log } from "../log.ts";
import type { NewId } from "../new-id.ts";
import type { Limits } from "../projects/project.ts";

/** Turns an event of a model into the events that are appended in its place. */
export type KeepFiles = (event: StreamEvent) => Promise<readonly StreamEvent[]>;

export interface AnswerFilesOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly newId: NewId;
  readonly logger: Pick<Log, "warn">;
}

/** A project's rules are for files of visitors. Files of its model are limited by their size and by the quotas alone. */
const rules = { accept: "", maxBytes: 25_000_000, maxCount: Number.POSITIVE_INFINITY };

/** Stands in the answer in place of a file that could not be stored. */
const sentences = {
  ru: "*Файл из ответа не сохранён: он слишком большой, повреждён, или для файлов больше нет места.*",
  en: "*A file of this answer was not kept: it is too large, damaged, or there is no more room for files.*",
} as const;

/**
 * Stores the files that a model makes as attachments of its answer, so that events and the stored answer have addresses
 * instead of bytes. A file that cannot be stored is replaced by a sentence, and the answer goes on.
 */
export function answerFiles(
  { record, owner }: Pick<ActiveRun, "record" | "owner">,
  question: Message,
  limits: Pick<Limits, "storageBytes" | "projectStorageBytes">,
  { storage, clock, newId, logger }: AnswerFilesOptions,
): KeepFiles {
  const { runId, threadId, answerId: messageId } = record;
  let missing = 0;

  function keep(file: () => IncomingFile) {
    return asRunOwner(storage.runs, { runId, owner }, async (present) => {
      const keeping = { storage, owner: present, threadId, messageId, rules, limits, clock, newId };
      return keepFile(file(), keeping).catch(undefinedIfNotFound);
    });
  }

  return async (event) => {
    if (event.type !== "file" || !isDataUrl(event.url)) return [event];
    const { mediaType, filename: name = mediaType.replace("/", ".") } = event;
    try {
      const inline = fileOfDataUrl(event.url);
      if (!inline?.isWhole()) throw new ChatError("unprocessable", `The file ${name} is not whole.`);
      const { pieces, size: maxSize } = inline;
      const kept = await keep(() => ({ name, contentType: mediaType, pieces: pieces(), maxSize }));
      // Not stored because the thread was deleted, and the run with it: no one reads this event.
      return kept ? [{ ...event, url: kept.url, mediaType: kept.contentType }] : [];
    } catch (error) {
      if (!(error instanceof ChatError || error instanceof FileRefusedError)) throw error;
      logger.warn({ runId, error: describeError(error) }, "a file of an answer was not kept");
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

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ChatError && error.code === "not_found")) throw error;
}
