import type { FailureCode, Message } from "@nitka/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { Words } from "../../i18n/locales/ru.ts";
import { canRetry, conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { useThreadScope } from "./thread-scope.tsx";
import { useFailureText } from "../failure-text.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { RetryButton } from "../primitives/failure-note.tsx";

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

/** The red box below an answer that failed: two lines, the rest on demand, and a button to retry. */
function MessageFailure({
  message,
  title,
  isNew,
}: {
  readonly message: Message;
  readonly title: string;
  readonly isNew: boolean;
}) {
  const { actions } = useChat();
  const { threadId } = useThreadScope();
  const failureText = useFailureText();
  const failure = useChatState((state) => conversationOf(state, threadId).failures[message.id]);
  const mayRetry = useChatState((state) => canRetry(state, threadId, message));
  const advice = failure && failureText(failure);
  const detail = failure?.detail;
  const text = [title !== detail && title, advice, detail && `(${detail})`].filter(Boolean).join(" ");
  useAnnounced(isNew ? text : "");
  return (
    <div className="message-failure">
      <ClampedText key={text} text={text} />
      {mayRetry && <RetryButton onRetry={() => void actions.retry(threadId, message.id)} />}
    </div>
  );
}

function ClampedText({ text }: { readonly text: string }) {
  const { words } = useChat();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [open, setOpen] = useState(false);
  const [clamped, setClamped] = useState(false);
  useLayoutEffect(() => {
    const { current } = paragraph;
    if (!current || open) return undefined;
    const measure = () => setClamped(current.scrollHeight > current.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [open]);
  return (
    <>
      <p ref={paragraph} className="failure-text" data-clamped={!open || undefined}>
        {text}
      </p>
      {(clamped || open) && (
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.message.showLess : words.message.showAll}
        </button>
      )}
    </>
  );
}
