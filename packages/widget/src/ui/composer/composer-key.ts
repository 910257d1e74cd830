import { isComposing } from "../primitives/is-composing.ts";

/** The fields of a keyboard event, React's or the DOM's, that are needed for the decision. */
interface KeyPress {
  readonly key: string;
  readonly keyCode: number;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
}

/**
 * The action of a key in a composer. Enter sends, Shift+Enter breaks the line. On iPhone, iPad and iPod, whose keyboards have
 * no Shift+Enter, Enter breaks the line and Ctrl+Enter or Cmd+Enter of an attached keyboard sends. While an input method
 * composes a word, every key belongs to it. ArrowUp edits the last question if there is no line above the caret.
 *
 * @param enterBreaksLine true on those devices: `Chat.enterBreaksLine`
 */
export function composerKey(press: KeyPress, enterBreaksLine: boolean): "send" | "cancel" | "editLast" | undefined {
  if (isComposing(press)) return undefined;
  if (press.key === "Escape") return "cancel";
  if (press.key === "ArrowUp" && !(press.altKey || press.shiftKey || press.ctrlKey || press.metaKey)) return "editLast";
  if (press.key !== "Enter" || press.shiftKey) return undefined;
  return !enterBreaksLine || press.ctrlKey || press.metaKey ? "send" : undefined;
}
