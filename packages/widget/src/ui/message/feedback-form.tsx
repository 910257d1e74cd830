import { MAX_REASON_CHARS } from "@nitka/protocol/feedback-request";
import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { composerKey } from "../composer/composer-key.ts";

/** The field for the reason of a negative rating. Enter sends, Escape closes it. */
export function FeedbackForm({
  id,
  texts,
  text,
  isSending,
  onChange,
  onSend,
  onClose,
}: {
  readonly id: string;
  readonly texts: { readonly reason: string; readonly send: string };
  readonly text: string;
  readonly isSending: boolean;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
}) {
  const { enterBreaksLine } = useChat();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    // The whole form: on a narrow screen its button is below the field.
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const canSend = text.trim() !== "" && !isSending;
  return (
    <form
      id={id}
      className="feedback-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <textarea
        ref={field}
        className="feedback-field"
        aria-label={texts.reason}
        placeholder={texts.reason}
        rows={2}
        maxLength={MAX_REASON_CHARS}
        dir="auto"
        value={text}
        readOnly={isSending}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          const act = composerKey(event.nativeEvent, enterBreaksLine);
          if (act === undefined) return;
          event.preventDefault();
          if (act === "cancel") onClose();
          else if (canSend) onSend();
        }}
      />
      <button type="submit" className="button" data-kind="primary" disabled={!canSend} aria-busy={isSending}>
        {texts.send}
      </button>
    </form>
  );
}
