import { isComposing } from "../primitives/is-composing.ts";

/** What the keyboard tells of a key that was pressed: a React or a DOM event. */
interface KeyPress {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
}

/**
 * What a key means in a composer: Enter sends and Shift+Enter breaks the line; where Enter breaks the line too (phones
 * have no Shift to hold), Ctrl or Cmd with Enter sends. While an input method composes a word, its keys are its own.
 */
export function composerKey(press: KeyPress, enterBreaksLine: boolean): "send" | "cancel" | undefined {
  if (isComposing(press)) return undefined;
  if (press.key === "Escape") return "cancel";
  if (press.key !== "Enter" || press.shiftKey) return undefined;
  return !enterBreaksLine || press.ctrlKey || press.metaKey ? "send" : undefined;
}
