/** The visitor's rating of an answer. This code loads with the first answer that can be rated. */
import type { Message } from "@nitka/protocol";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { feedbackWords } from "../../i18n/feedback-words.ts";
import { conversationOf } from "../../store/selectors.ts";
import type { Failure } from "../../store/state.ts";
import { COPY_FEEDBACK_MS } from "../../timings.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import { useAnnounce, useAnnounced } from "../primitives/announcer.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { useFlash } from "../primitives/tooltips.tsx";
import css from "./feedback.css?inline";
import { FeedbackForm } from "./feedback-form.tsx";
import { useFailureText } from "../failure-text.ts";

/** Two buttons that stay pressed. A negative rating is sent at once and opens a field for the reason. */
export function FeedbackControls({ threadId, message }: { readonly threadId: string; readonly message: Message }) {
  const { actions, words, locale } = useChat();
  const texts = { ...feedbackWords[locale], ...words.feedback };
  const announce = useAnnounce();
  const flash = useFlash();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState("");
  const [failure, setFailure] = useState<{ readonly of: "rating" | "reason"; readonly cause: Failure }>();
  const [isSending, setSending] = useState(false);
  const bad = useRef<HTMLButtonElement>(null);
  const formId = useId();
  // The backend does not have an answer to a question that it has not confirmed.
  const isUnsent = useChatState((state) => conversationOf(state, threadId).outbox.includes(message.parentId ?? ""));
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // Removing the field must not lose the focus.
    if (wasOpen.current && !isOpen) bad.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  // After each render, because the buttons are missing from the first one if the question is not confirmed yet.
  useLayoutEffect(() => adoptStyles(bad.current, css));
  if (isUnsent) return null;

  const rating = message.feedback?.rating;
  // The action's code loads with the first rating.
  const send = (given: Parameters<typeof actions.rate>[2]) =>
    actions
      .rate(threadId, message.id, given)
      .catch((error: unknown): Failure => ({ kind: "network", detail: String(error) }));
  const rate = async (pressed: "up" | "down") => {
    const given = pressed === rating ? null : pressed;
    setFailure(undefined);
    setOpen(given === "down");
    const cause = await send({ rating: given });
    if (!cause) return;
    setFailure({ of: "rating", cause });
    // The field belongs to a stored rating. Its text is kept.
    setOpen(false);
  };
  const sendReason = async () => {
    setSending(true);
    const cause = await send({ rating: "down", reason: draft.trim() });
    setSending(false);
    setFailure(cause && { of: "reason", cause });
    if (cause) return;
    setDraft("");
    setOpen(false);
    announce(texts.thanks);
    if (bad.current) flash(bad.current, texts.thanks, COPY_FEEDBACK_MS);
  };
  return (
    <>
      <IconButton
        icon={THUMB}
        label={texts.good}
        className="rating"
        aria-pressed={rating === "up"}
        onClick={() => void rate("up")}
      />
      <IconButton
        ref={bad}
        icon={THUMB}
        label={texts.bad}
        className="rating"
        data-down
        aria-pressed={rating === "down"}
        aria-controls={isOpen ? formId : undefined}
        onClick={() => void rate("down")}
      />
      {isOpen && (
        <FeedbackForm
          id={formId}
          texts={texts}
          text={draft}
          isSending={isSending}
          onChange={setDraft}
          onSend={() => void sendReason()}
          onClose={() => setOpen(false)}
        />
      )}
      {failure && (
        <FeedbackFailure title={failure.of === "reason" ? texts.reasonFailed : texts.failed} failure={failure.cause} />
      )}
    </>
  );
}

const THUMB =
  "M6.6 9 9.8 3c1 0 1.9.8 1.9 1.9v3h3.5c1 0 1.8.9 1.6 1.9l-.9 5.2c-.1.8-.8 1.4-1.6 1.4H6.6M6.6 9v7.4M6.6 9H3.4v7.4h3.2";

/** Says why a rating or its reason could not be sent. */
function FeedbackFailure({ title, failure }: { readonly title: string; readonly failure: Failure }) {
  const failureText = useFailureText();
  const text = `${title} ${failureText(failure)}`;
  useAnnounced(text);
  return <p className="feedback-failure">{text}</p>;
}
