import type { Message } from "@nitka/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { canRetry, conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { useThreadScope } from "./thread-scope.ts";
import { useFailureText } from "../failure-text.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { FoldButton } from "../primitives/disclosure.tsx";
import { RetryButton } from "../primitives/failure-note.tsx";

const loadEnds = loadChunk(() => import("./next-questions.tsx"));

/**
 * Says how an answer ended if it is not complete.
 *
 * @param isNew whether it ended while the visitor was watching; older failures are not announced to screen readers
 */
export function MessageEnd({ message, isNew }: { readonly message: Message; readonly isNew: boolean }) {
  const { words, locale } = useChat();
  const { threadId } = useThreadScope();
  const unsent = useChatState((state) => conversationOf(state, threadId).outbox.includes(message.parentId ?? ""));
  const { type, reason = "", error, code = "" } = (message.status ?? {}) as Partial<Ended>;
  const isCutOff = /^(length|content-filter)$/.test(reason);
  const isKnown = isCutOff || code;
  const ends = useLoaded(isKnown ? loadEnds : undefined);
  if (type !== "incomplete") return null;
  if (reason === "cancelled") return <p className="message-note">{words.message.cancelled}</p>;
  // The note is shown once, with its final text. If the texts cannot be loaded, it is the backend's own sentence.
  if (isKnown && !ends.value && !ends.error) return null;
  if (isCutOff && ends.value) {
    return <ends.value.CutOffNote threadId={threadId} message={message} reason={reason} isNew={isNew} />;
  }
  const texts: Readonly<Record<string, string>> = { ...ends.value?.failureCodeWords[locale], ...words.failureCodes };
  const isInterrupted = reason === "interrupted";
  const name = isInterrupted ? reason : unsent ? "unsent" : reason === "error" ? "failed" : "incomplete";
  const title = (!isInterrupted && error) || words.message[name];
  return (
    <MessageFailure
      message={message}
      title={Object.hasOwn(texts, code) ? (texts[code] as string) : title}
      isNew={isNew}
    />
  );
}

type Ended = Extract<Message["status"], { readonly type: "incomplete" }>;

/** The red box below a failed answer: two lines, the rest on demand, and a retry button. */
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
      {(clamped || open) && <FoldButton open={open} onToggle={() => setOpen(!open)} />}
    </>
  );
}
