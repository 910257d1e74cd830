/** What a backend answers, as our types: lax where backends differ, clear where nothing can be made of it. */
import type { Attachment, Message, Thread } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";

type Fields = Readonly<Record<string, unknown>>;

export function readThreads(value: unknown): readonly Thread[] {
  return listOf(value, "threads").flatMap((item) => toThread(item) ?? []);
}

export function readThread(value: unknown): Thread {
  const thread = toThread(value);
  if (!thread) throw new TypeError("The answer is not a thread: it has no threadId.");
  return thread;
}

/** Messages as they came: an unknown role or part is the view's to show as broken, not ours to lose. */
export function readMessages(value: unknown): readonly Message[] {
  return listOf(value, "messages").flatMap((item) => {
    if (!isRecord(item)) return [];
    const { id, content } = item;
    if (
      (typeof id !== "string" && typeof id !== "number") ||
      (typeof content !== "string" && !Array.isArray(content))
    ) {
      return [];
    }
    return [{ ...(item as Fields & Omit<Message, "id" | "content">), id: String(id), content }];
  });
}

export function readAttachment(value: unknown): Attachment {
  if (!isRecord(value) || typeof value["id"] !== "string" || typeof value["url"] !== "string") {
    throw new TypeError("The answer is not an attachment: it has no id or no url.");
  }
  const contentType = textOr(value["contentType"], "application/octet-stream");
  return {
    id: value["id"],
    type: attachmentTypeOf(contentType),
    name: textOr(value["name"], value["id"]),
    contentType,
    size: typeof value["size"] === "number" ? value["size"] : 0,
    url: value["url"],
  };
}

/** The thread's id goes by both names; a date that is none counts as the oldest. */
function toThread(value: unknown): Thread | undefined {
  if (!isRecord(value)) return undefined;
  const threadId = value["threadId"] ?? value["id"];
  if ((typeof threadId !== "string" && typeof threadId !== "number") || threadId === "") return undefined;
  const { title, updatedAt } = value;
  const date = new Date(typeof updatedAt === "string" || typeof updatedAt === "number" ? updatedAt : 0);
  return {
    threadId: String(threadId),
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    updatedAt: (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString(),
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const inner = isRecord(value) ? value[name] : undefined;
  if (Array.isArray(inner)) return inner;
  throw new TypeError(`The answer is not a list of ${name}.`);
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
