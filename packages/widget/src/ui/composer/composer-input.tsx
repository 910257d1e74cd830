import { useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { ComponentProps, Ref } from "react";
import { useChat } from "../chat-context.tsx";
import { composerKey } from "./composer-key.ts";

/** The field that grows with what is written in it, between the heights that its style allows. */
export function ComposerInput({
  ref,
  value,
  onText,
  onSend,
  onCancel,
  ...rest
}: {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel?: (() => void) | undefined;
} & Omit<ComponentProps<"textarea">, "value" | "onChange" | "onKeyDown" | "ref" | "className" | "rows">) {
  const { enterBreaksLine } = useChat();
  const input = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLTextAreaElement, []);
  useLayoutEffect(() => {
    if (input.current && !growsByItself()) fitToText(input.current);
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
        const { key, keyCode, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
        const { isComposing } = nativeEvent;
        const meant = composerKey({ key, keyCode, shiftKey, ctrlKey, metaKey, isComposing }, enterBreaksLine);
        const act = meant && { send: onSend, cancel: onCancel }[meant];
        if (!act) return;
        event.preventDefault();
        act();
      }}
    />
  );
}

function growsByItself(): boolean {
  return typeof CSS === "object" && CSS.supports("field-sizing", "content");
}

/** The style's own minimum and maximum go on to bound the height that is set here. */
function fitToText(input: HTMLTextAreaElement): void {
  input.style.setProperty("block-size", "auto");
  input.style.setProperty("block-size", `${input.scrollHeight}px`);
}
