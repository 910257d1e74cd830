/** Reads the bodies of responses. It is lenient where backends differ, and throws if a body makes no sense. */
import type { Message, Thread } from "@nitka/protocol";

type Fields = Readonly<Record<string, unknown>>;

export function readThreads(value: unknown): readonly Thread[] {
  return listOf(value, "threads").flatMap((item) => toThread(item) ?? []);
}

export function readThread(value: unknown): Thread {
  const thread = toThread(value);
  if (!thread) throw new TypeError("The response is not a thread: it has no threadId.");
  return thread;
}

/**
 * A message with an unknown role or part is kept, and the view shows it as broken. A message without an id or content is left
 * out.
 */
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

/**
 * Reads a thread, whose id has one of two names. An invalid date counts as the oldest.
 *
 * @example toThread({ id: 7, title: "", updatedAt: "soon" }) // { threadId: "7", updatedAt: "1970-01-01T00:00:00.000Z" }
 */
function toThread(value: unknown): Thread | undefined {
  if (!isRecord(value)) return undefined;
  const threadId = value["threadId"] ?? value["id"];
  if ((typeof threadId !== "string" && typeof threadId !== "number") || threadId === "") return undefined;
  const { title, updatedAt, match } = value;
  // A number below this is in seconds: as milliseconds it would be in the first years after 1970.
  const time = typeof updatedAt === "number" && updatedAt < 1e11 ? updatedAt * 1000 : updatedAt;
  const date = new Date(typeof time === "string" || typeof time === "number" ? time : 0);
  return {
    threadId: String(threadId),
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    updatedAt: (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString(),
    ...(typeof match === "string" && { match }),
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const inner = isRecord(value) ? value[name] : undefined;
  if (Array.isArray(inner)) return inner;
  throw new TypeError(`The response is not a list of ${name}.`);
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
