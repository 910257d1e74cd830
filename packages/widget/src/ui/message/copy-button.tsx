import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { useEffect, useState } from "react";
import { hasText } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { useFeedback } from "../primitives/tooltips.tsx";
import { COPY_FEEDBACK_MS } from "../../timings.ts";

const icons = { none: "copy", ok: "check", fail: "alert" } as const;

/** Copies a message's text. Its icon and tooltip show for a moment whether that worked. */
export function CopyButton({ message }: { readonly message: Message }) {
  const { words, copyText } = useChat();
  const announce = useAnnounce();
  const showFeedback = useFeedback();
  const [outcome, setOutcome] = useState<keyof typeof icons>("none");
  useEffect(() => {
    if (outcome === "none") return undefined;
    const timer = setTimeout(() => setOutcome("none"), COPY_FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (button: Element) => {
    const done = await copyText(textOf(message)).then(
      () => true,
      () => false,
    );
    const text = done ? words.message.copied : words.message.copyFailed;
    setOutcome(done ? "ok" : "fail");
    showFeedback(button, text, COPY_FEEDBACK_MS);
    announce(text);
  };
  return (
    <IconButton
      icon={icons[outcome]}
      label={words.message.copy}
      data-outcome={outcome}
      onClick={(event) => {
        if (hasText(message)) void copy(event.currentTarget);
      }}
    />
  );
}
