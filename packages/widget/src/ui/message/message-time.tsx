import type { Message } from "@nitka/protocol";
import { useLayoutEffect, useState } from "react";
import { conversationOf, startOfDay } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import type { TimeTexts } from "./time-texts.ts";

/** The time of day beside a message's buttons, which describes the message. Its name and its tooltip include the date. */
export function MessageTime({
  id,
  threadId,
  message,
  texts,
}: {
  readonly id: string;
  readonly threadId: string;
  readonly message: Message;
  readonly texts: TimeTexts;
}) {
  const at = useMessageTime(threadId, message, texts);
  return (
    at && (
      <time
        id={id}
        className="message-time"
        dateTime={at.toISOString()}
        data-tooltip={texts.full(at)}
        aria-label={texts.full(at)}
      >
        {texts.short(at)}
      </time>
    )
  );
}

/**
 * A line above the first message of a day. A conversation with only today's messages has none.
 *
 * @param before the message above
 */
export function DayLine({
  threadId,
  message,
  before,
  texts,
}: {
  readonly threadId: string;
  readonly message: Message;
  readonly before: Message | undefined;
  readonly texts: TimeTexts;
}) {
  const { now } = useChat();
  const at = useMessageTime(threadId, message, texts);
  const today = new Date(now());
  const last = before ? (timeOf(before) ?? texts.newAt.get(before.id)) : today;
  if (!at || !last || startOfDay(at) === startOfDay(last)) return null;
  return (
    <p className="day-line">
      <time dateTime={at.toISOString()}>{texts.day(at, today)}</time>
    </p>
  );
}

/** The time at which a message was created; `undefined` if its backend does not say it. */
function useMessageTime(threadId: string, message: Message, { newAt: times }: TimeTexts): Date | undefined {
  const { store, now } = useChat();
  // The backend's time of a new message is unknown until the history is loaded again.
  const [newAt] = useState(() => {
    const { run } = conversationOf(store.get(), threadId);
    const isNew = run?.questionId === message.id || run?.answerId === message.id;
    return isNew ? new Date(now()) : undefined;
  });
  // The line above the next message compares with this time. `start` changes the answer's id.
  useLayoutEffect(() => {
    if (newAt) times.set(message.id, newAt);
  }, [times, message.id, newAt]);
  return timeOf(message) ?? newAt;
}

function timeOf({ createdAt }: Message): Date | undefined {
  const at = new Date(createdAt ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
