import type { Thread } from "@nitka/protocol";
import type { StoredThread } from "../../storage.ts";
import type { ThreadTable } from "../schema.ts";

/** The columns of a thread, as prepared statements name them (see `runColumns`). */
export const threadColumns = [
  "thread.thread_id",
  "thread.title",
  "thread.titled_by",
  "thread.head_id",
  "thread.updated_at",
] as const satisfies readonly `thread.${keyof ThreadTable}`[];

export function storedThreadOfRow(
  row: Pick<ThreadTable, "thread_id" | "title" | "titled_by" | "head_id" | "updated_at">,
): StoredThread {
  return {
    ...threadOfRow(row),
    ...(row.titled_by !== null && { titledBy: row.titled_by }),
    ...(row.head_id !== null && { headId: row.head_id }),
  };
}

export function threadOfRow(row: Pick<ThreadTable, "thread_id" | "title" | "updated_at">): Thread {
  return {
    threadId: row.thread_id,
    ...(row.title !== null && { title: row.title }),
    updatedAt: row.updated_at,
  };
}
