import { useEffect, useState } from "react";
import type { ComponentProps } from "react";
import { useChat } from "../chat-context.tsx";
import { useAnnounce } from "./announcer.tsx";
import { IconButton } from "./icon-button.tsx";

const icons = { none: "copy", ok: "check", fail: "alert" } as const;

/** Copies a text. Its icon shows the result for a moment, and screen readers announce it. */
export function CopyIconButton({
  text,
  html,
  copied,
  shownMs,
  pausesAfter = false,
  onOutcome,
  ...rest
}: {
  /** Called at each press. An empty text is not copied. */
  readonly text: () => string;
  /** The text as HTML, if it is not the answer around the button. */
  readonly html?: () => string;
  readonly copied: string;
  readonly shownMs: number;
  /** Whether presses are ignored while the icon shows that the text has been copied. */
  readonly pausesAfter?: boolean;
  readonly onOutcome?: (button: Element, words: string) => void;
} & Omit<ComponentProps<typeof IconButton>, "icon" | "onClick">) {
  const { words, copyFor } = useChat();
  const announce = useAnnounce();
  const [outcome, setOutcome] = useState<keyof typeof icons>("none");
  useEffect(() => {
    if (outcome === "none") return undefined;
    const timer = setTimeout(() => setOutcome("none"), shownMs);
    return () => clearTimeout(timer);
  }, [outcome, shownMs]);
  const copy = async (button: Element) => {
    const copiedText = text();
    if (copiedText === "" || (pausesAfter && outcome === "ok")) return;
    const done = await copyFor(button, copiedText, html?.()).then(
      () => true,
      () => false,
    );
    const told = done ? copied : words.message.copyFailed;
    setOutcome(done ? "ok" : "fail");
    announce(told);
    onOutcome?.(button, told);
  };
  return (
    <IconButton
      {...rest}
      icon={icons[outcome]}
      data-outcome={outcome}
      onClick={(event) => void copy(event.currentTarget)}
    />
  );
}
