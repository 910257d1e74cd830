import type { Attachment, Message, StreamEvent } from "@nitka/protocol";
import { isDataUrl } from "@nitka/protocol/data-url";
import type { EventOf } from "@nitka/protocol/stream-event";
import { ChatError, unprocessable } from "../../chat-error.ts";
import { fileOfDataUrl } from "../../data-url.ts";
import { isRussian } from "../../question-language.ts";
import { FileRefusedError } from "../../storage/storage.ts";
import type { Storage } from "../../storage/storage.ts";
import { toolFilesOf, withToolFiles } from "../../tool-files.ts";
import type { ToolFile } from "../../tool-files.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { partEvents } from "../runs/part-events.ts";
import { describeError } from "../describe-error.ts";
import { keepFile } from "./keep-file.ts";
import type { Log } from "../log.ts";
import type { NewId } from "../new-id.ts";
import type { Limits } from "../projects/project.ts";

/** Turns an event of a model into the events to append in its place. */
export type KeepFiles = (event: StreamEvent) => Promise<readonly StreamEvent[]>;

export interface AnswerFilesOptions {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly newId: NewId;
  readonly logger: Pick<Log, "warn">;
}

/** A project's rules are for visitors' files. Its model's files are limited only by their size and by the quotas. */
const rules = { accept: "", maxBytes: 25_000_000, maxCount: Number.POSITIVE_INFINITY };

/** The sentence in the answer in place of a file that could not be stored. */
const sentences = {
  ru: "*Файл из ответа не сохранён: он слишком большой, повреждён, или для файлов больше нет места.*",
  en: "*A file of this answer was not kept: it is too large, damaged, or there is no more room for files.*",
} as const;

/**
 * Stores the files that a model or its tools make as attachments of the answer, so that events and the stored answer
 * contain addresses instead of bytes. A visitor who sees a tool's output also sees its files beside it. A file that
 * cannot be stored is replaced by a sentence, and the answer continues.
 */
export function answerFiles(
  run: Pick<ActiveRun, "record" | "owner" | "showsOutput">,
  question: Message,
  limits: Pick<Limits, "storageBytes" | "projectStorageBytes">,
  { storage, clock, newId, logger }: AnswerFilesOptions,
): KeepFiles {
  const { record, owner } = run;
  const { runId, threadId, answerId: messageId } = record;
  let missing = 0;

  /** @returns "gone" when the thread and its run were deleted: nobody reads the rest */
  async function keep(name: string, mediaType: string, url: string): Promise<Attachment | "refused" | "gone"> {
    try {
      const inline = fileOfDataUrl(url);
      if (!inline?.isWhole()) throw unprocessable(`The file ${name} is incomplete.`);
      const { pieces, size: maxSize } = inline;
      const kept = await asRunOwner(storage.runs, { runId, owner }, async (present) => {
        const keeping = { storage, owner: present, threadId, messageId, rules, limits, clock, newId };
        const file = { name, contentType: mediaType, pieces: pieces(), maxSize };
        return keepFile(file, keeping).catch(undefinedIfNotFound);
      });
      return kept ?? "gone";
    } catch (error) {
      if (!(error instanceof ChatError || error instanceof FileRefusedError)) throw error;
      logger.warn({ runId, error: describeError(error) }, "a file of an answer was not kept");
      return "refused";
    }
  }

  const sentence = () => sentences[isRussian(question) ? "ru" : "en"];

  async function keepAnswerFile(event: EventOf<"file">): Promise<readonly StreamEvent[]> {
    const { mediaType, filename = nameOf(mediaType) } = event;
    const kept = await keep(filename, mediaType, event.url);
    if (kept === "gone") return [];
    if (kept !== "refused") return [{ ...event, url: kept.url, mediaType: kept.contentType }];
    missing += 1;
    return partEvents({ type: "text", text: sentence() }, `missing-file-${missing}`);
  }

  async function keepToolFiles(event: EventOf<"tool-output-available">): Promise<readonly StreamEvent[]> {
    const kept = new Map<ToolFile, Attachment>();
    for (const file of toolFilesOf(event.output)) {
      if (!isDataUrl(file.url)) continue;
      const attachment = await keep(nameOf(file.mimeType), file.mimeType, file.url);
      if (typeof attachment === "object") kept.set(file, attachment);
    }
    const output = withToolFiles(event.output, (file) => {
      const { url, contentType: mimeType } = kept.get(file) ?? {};
      if (url !== undefined && mimeType !== undefined) return { ...file, url, mimeType };
      return isDataUrl(file.url) ? { type: "text", text: sentence() } : file;
    });
    const shown = run.showsOutput(event.toolCallId) ? [...kept.values()] : [];
    return [
      { ...event, output },
      ...shown.map(
        ({ url, contentType: mediaType, name: filename }) => ({ type: "file", url, mediaType, filename }) as const,
      ),
    ];
  }

  return async (event) => {
    if (event.type === "tool-output-available") return keepToolFiles(event);
    return event.type === "file" && isDataUrl(event.url) ? keepAnswerFile(event) : [event];
  };
}

/** The number of bytes of the files in an event; `undefined` for an event without files. */
export function fileBytes(event: StreamEvent): number | undefined {
  const files =
    event.type === "file" ? [event] : event.type === "tool-output-available" ? toolFilesOf(event.output) : [];
  if (files.length === 0) return undefined;
  return files.reduce((sum, { url }) => sum + (fileOfDataUrl(url)?.size ?? 0), 0);
}

function nameOf(mediaType: string): string {
  return mediaType.replace("/", ".");
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ChatError && error.code === "not_found")) throw error;
}
