import { isComposing } from "../primitives/is-composing.ts";

/** The fields of a keyboard event, React's or the DOM's, that the decision needs. */
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
 * What a key does in a composer. Enter sends, Shift+Enter breaks the line. On iPhone, iPad and iPod Enter breaks the line
 * too (their keyboards have no Shift+Enter), and Ctrl+Enter or Cmd+Enter of an attached keyboard sends. While an input
 * method composes a word, every key belongs to it. ArrowUp edits the last question, where the caret has no line above.
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
