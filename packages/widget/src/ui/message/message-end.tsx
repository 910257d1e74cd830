import type { FailureCode, Message } from "@nitka/protocol";
import { failureCodes } from "../../i18n/failure-codes.ts";
import type { Locale } from "../../i18n/locales.ts";
import type { Words } from "../../i18n/locales/ru.ts";
import { conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { MessageFailure } from "./message-failure.tsx";
import { useThreadScope } from "./thread-scope.tsx";

/**
 * How an answer ended, if it is not complete.
 *
 * @param isNew whether it ended while the visitor looked on: older failures are not announced to screen readers
 */
export function MessageEnd({ message, isNew }: { readonly message: Message; readonly isNew: boolean }) {
  const { words, locale } = useChat();
  const { threadId } = useThreadScope();
  const unsent = useChatState((state) => conversationOf(state, threadId).outbox.includes(message.parentId ?? ""));
  const { status } = message;
  if (status?.type !== "incomplete") return null;
  if (status.reason === "cancelled") return <p className="message-note">{words.message.cancelled}</p>;
  return <MessageFailure message={message} title={titleOf(status, unsent, words, locale)} isNew={isNew} />;
}

/** The locale's sentence for the failure's code; for a code that the locale does not know, the backend's own sentence. */
function titleOf(
  { reason, error, code = "" }: { readonly reason: string; readonly error?: string; readonly code?: string },
  unsent: boolean,
  { message: words, failureCodes: hostTexts }: Words,
  locale: Locale,
): string {
  const texts = { ...failureCodes[locale], ...hostTexts };
  if (Object.hasOwn(texts, code)) return texts[code as FailureCode];
  if (reason === "interrupted") return words.interrupted;
  if (error) return error;
  if (unsent) return words.unsent;
  return reason === "error" ? words.failed : words.incomplete;
}
