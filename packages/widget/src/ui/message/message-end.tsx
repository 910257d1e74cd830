import type { FailureCode, Message } from "@nitka/protocol";
import { failureCodes } from "../../i18n/failure-codes.ts";
import type { Locale } from "../../i18n/locales.ts";
import type { Words } from "../../i18n/locales/ru.ts";
import { conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { MessageFailure } from "./message-failure.tsx";
import { useThreadScope } from "./thread-scope.tsx";

/**
 * How an answer ended, when it did not end well.
 *
 * @param isNews whether it ended in front of the visitor: screen readers are told of no failure of days ago
 */
export function MessageEnd({ message, isNews }: { readonly message: Message; readonly isNews: boolean }) {
  const { words, locale } = useChat();
  const { threadId } = useThreadScope();
  const unsent = useChatState((state) => conversationOf(state, threadId).unsent.includes(message.parentId ?? ""));
  const { status } = message;
  if (status?.type !== "incomplete") return null;
  if (status.reason === "cancelled") return <p className="message-note">{words.message.cancelled}</p>;
  return <MessageFailure message={message} title={titleOf(status, unsent, words, locale)} isNews={isNews} />;
}

/** The backend's own sentence stands where the kind of the failure is none that the locale has words for. */
function titleOf(
  { reason, error, code = "" }: { readonly reason: string; readonly error?: string; readonly code?: string },
  unsent: boolean,
  { message: words, failureCodes: own }: Words,
  locale: Locale,
): string {
  const codes = { ...failureCodes[locale], ...own };
  if (Object.hasOwn(codes, code)) return codes[code as FailureCode];
  if (reason === "interrupted") return words.interrupted;
  if (error) return error;
  if (unsent) return words.unsent;
  return reason === "error" ? words.failed : words.incomplete;
}
