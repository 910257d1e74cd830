import type { FailureCode, Message } from "@nitka/protocol";
import { loadChunk } from "../../load-chunk.ts";
import type { Words } from "../../i18n/locales/ru.ts";
import { conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { MessageFailure } from "./message-failure.tsx";
import { useThreadScope } from "./thread-scope.tsx";

const loadFailureCodeWords = loadChunk(() => import("../../i18n/failure-code-words.ts"));

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
  const hasCode = status?.type === "incomplete" && status.code !== undefined;
  const codes = useLoaded(hasCode ? loadFailureCodeWords : undefined);
  if (status?.type !== "incomplete") return null;
  if (status.reason === "cancelled") return <p className="message-note">{words.message.cancelled}</p>;
  // Shown once, with its final text. Where the texts cannot be loaded, it is the backend's own sentence.
  if (hasCode && !codes.value && !codes.error) return null;
  const texts = { ...codes.value?.failureCodeWords[locale], ...words.failureCodes };
  return <MessageFailure message={message} title={titleOf(status, unsent, texts, words.message)} isNew={isNew} />;
}

/** The sentence for the failure's code; for a code without one, the backend's own sentence. */
function titleOf(
  { reason, error, code = "" }: { readonly reason: string; readonly error?: string; readonly code?: string },
  unsent: boolean,
  texts: Partial<Readonly<Record<FailureCode, string>>>,
  words: Words["message"],
): string {
  const text = Object.hasOwn(texts, code) ? texts[code as FailureCode] : undefined;
  if (text !== undefined) return text;
  if (reason === "interrupted") return words.interrupted;
  if (error) return error;
  if (unsent) return words.unsent;
  return reason === "error" ? words.failed : words.incomplete;
}
