import type { Message } from "@nitka/protocol";
import { useLayoutEffect, useRef, useState } from "react";
import { canRetry, conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useFailureText } from "../use-failure-text.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { useThreadScope } from "./thread-scope.tsx";

/** The red box below an answer that failed: two lines, the rest on demand, and a button to retry. */
export function MessageFailure({
  message,
  title,
  isNew,
}: {
  readonly message: Message;
  readonly title: string;
  readonly isNew: boolean;
}) {
  const { actions, words } = useChat();
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
      {mayRetry && (
        <button
          type="button"
          className="button"
          onClick={(event) => {
            focusComposer(event.currentTarget);
            void actions.retry(threadId, message.id);
          }}
        >
          {words.message.retry}
        </button>
      )}
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
