import type { Attachment, Feedback, Message, MessageStatus, Suggestion } from "@nitka/protocol";
import { cleanJson, cleanText } from "../../../clean-text.ts";
import type { MessageTable } from "../schema.ts";
import { utcTime } from "../utc-time.ts";

/** The columns of a message, as prepared statements name them (see `runColumns`). */
export const messageColumns = [
  "message.id",
  "message.parent_id",
  "message.role",
  "message.content",
  "message.attachments",
  "message.status",
  "message.reason",
  "message.error",
  "message.code",
  "message.created_at",
  "message.suggestions",
  "message.rating",
  "message.rating_reason",
] as const satisfies readonly `message.${keyof MessageTable}`[];

export function messageOfRow(row: Omit<MessageTable, "thread_id" | "position">): Message {
  const status = statusOfRow(row);
  return {
    id: row.id,
    role: row.role,
    content: JSON.parse(row.content) as Message["content"],
    ...(row.attachments !== null && { attachments: JSON.parse(row.attachments) as readonly Attachment[] }),
    parentId: row.parent_id,
    ...(row.created_at !== null && { createdAt: row.created_at }),
    ...(status && { status }),
    ...notesOfRow(row),
  };
}

/** The columns of a new message, without its thread and position. */
export function columnsOfMessage(message: Message): Omit<MessageTable, "thread_id" | "position"> {
  const { id, role, content, attachments, parentId, createdAt, status } = message;
  return {
    id,
    parent_id: parentId ?? null,
    role,
    content: cleanJson(content),
    attachments: attachments && attachments.length > 0 ? cleanJson(attachments) : null,
    ...columnsOfStatus(status),
    created_at: createdAt === undefined ? null : utcTime(createdAt),
    suggestions: null,
    rating: null,
    rating_reason: null,
  };
}

/** The columns of an answer that change until the run's end. */
export function columnsOfAnswer({
  content,
  status,
  suggestions,
}: Message): Pick<MessageTable, "content" | "suggestions" | StatusColumn> {
  return { content: cleanJson(content), ...columnsOfStatus(status), suggestions: columnOfSuggestions(suggestions) };
}

type StatusColumn = "status" | "reason" | "error" | "code";

function columnsOfStatus(status: MessageStatus | undefined): Pick<MessageTable, StatusColumn> {
  if (status?.type !== "incomplete") return { status: status?.type ?? null, reason: null, error: null, code: null };
  return {
    status: "incomplete",
    reason: cleanText(status.reason),
    error: status.error === undefined ? null : cleanText(status.error),
    code: status.code === undefined ? null : cleanText(status.code),
  };
}

export function statusOfRow({
  status,
  reason,
  error,
  code,
}: Pick<MessageTable, StatusColumn>): MessageStatus | undefined {
  if (status === null) return undefined;
  if (status !== "incomplete") return { type: status };
  return {
    type: "incomplete",
    reason: reason ?? "error",
    ...(error !== null && { error }),
    ...(code !== null && { code }),
  };
}

/** The suggestions and the feedback of a message, from its row. */
export function notesOfRow({
  suggestions,
  rating,
  rating_reason,
}: Pick<MessageTable, "suggestions" | "rating" | "rating_reason">): Pick<Message, "suggestions" | "feedback"> {
  return {
    ...(suggestions !== null && { suggestions: JSON.parse(suggestions) as readonly Suggestion[] }),
    ...(rating !== null && { feedback: { rating, ...(rating_reason !== null && { reason: rating_reason }) } }),
  };
}

export function columnOfSuggestions(suggestions: readonly Suggestion[] | undefined): string | null {
  return suggestions && suggestions.length > 0 ? cleanJson(suggestions) : null;
}

export function columnsOfFeedback(feedback: Feedback | null): Pick<MessageTable, "rating" | "rating_reason"> {
  return {
    rating: feedback?.rating ?? null,
    rating_reason: feedback?.reason === undefined ? null : cleanText(feedback.reason),
  };
}
