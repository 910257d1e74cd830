import { useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { ComponentProps, Ref } from "react";
import { useChat } from "../chat-context.tsx";
import { composerKey } from "./composer-key.ts";

/** A text field that grows with its text, between its style's minimum and maximum height. */
export function ComposerInput({
  ref,
  value,
  onText,
  onSend,
  onCancel,
  onEditLast,
  ...rest
}: {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel?: (() => void) | undefined;
  readonly onEditLast?: (() => void) | undefined;
} & Omit<ComponentProps<"textarea">, "value" | "onChange" | "onKeyDown" | "ref" | "className" | "rows">) {
  const { enterBreaksLine } = useChat();
  const input = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLTextAreaElement, []);
  useLayoutEffect(() => {
    if (input.current && !hasFieldSizing()) resizeToText(input.current);
  });
  return (
    <textarea
      {...rest}
      ref={input}
      className="composer-input"
      dir="auto"
      rows={1}
      value={value}
      enterKeyHint={enterBreaksLine ? "enter" : "send"}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        const { key, keyCode, altKey, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
        const { isComposing } = nativeEvent;
        const command = composerKey({ key, keyCode, altKey, shiftKey, ctrlKey, metaKey, isComposing }, enterBreaksLine);
        const run = command && { send: onSend, cancel: onCancel, editLast: onEditLast }[command];
        if (!run) return;
        event.preventDefault();
        // A key that is still held down from another control does nothing.
        if (!event.repeat) run();
      }}
    />
  );
}

function hasFieldSizing(): boolean {
  return typeof CSS === "object" && CSS.supports("field-sizing", "content");
}

/** For browsers without `field-sizing`. The style's minimum and maximum still limit the height that is set here. */
function resizeToText(input: HTMLTextAreaElement): void {
  input.style.setProperty("block-size", "auto");
  input.style.setProperty("block-size", `${input.scrollHeight}px`);
}
