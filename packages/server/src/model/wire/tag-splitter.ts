import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** The kinds of blocks that a model writes. */
export type BlockType = "text" | "reasoning";

export interface ReasoningTag {
  /** The tag's name, such as `think`. */
  readonly tag: string;
  /** Whether the text begins inside the tag, without an opening tag. */
  readonly first?: boolean | undefined;
}

/** Leading whitespace is held back up to this length, to see whether a tag follows. */
const MAX_BLANKS = 1_000;

/**
 * Splits the text of one step at the tags inside which the model thinks. The text inside is reasoning. A tag after a
 * backtick is text about the tag. The AI SDK's `extractReasoningMiddleware` does not support a closing tag without an
 * opening one. It also treats a text that should begin inside the tag as reasoning even if the tag is never closed.
 *
 * Two facts are known only after a block was sent: that it precedes a closing tag without an opening one, and that a
 * text that should begin inside the tag has no closing tag. The end of such a block says what it really was.
 */
export class TagSplitter {
  readonly #opening: string;
  readonly #closing: string;
  #type: BlockType;
  /** Whether the text is still in the reasoning that it should begin with. */
  #isFirst: boolean;
  /** A possible beginning of a tag, or the whitespace before one. */
  #held = "";
  #open: { readonly id: string; readonly type: BlockType } | undefined;
  #lastChar = "";
  /** Whether the next block begins after a tag: whitespace there is not part of the block. */
  #isBehindTag: boolean;
  #count = 0;

  constructor({ tag, first = false }: ReasoningTag) {
    this.#opening = `<${tag}>`;
    this.#closing = `</${tag}>`;
    this.#isFirst = first;
    this.#isBehindTag = first;
    this.#type = first ? "reasoning" : "text";
  }

  /** Returns the parts to send instead of a part. */
  split(part: LanguageModelV4StreamPart): readonly LanguageModelV4StreamPart[] {
    switch (part.type) {
      case "reasoning-start":
        // The server separates reasoning itself, so its text is text.
        if (this.#isFirst) this.#type = "text";
        this.#isFirst = false;
        return [part];
      case "text-start":
        return [];
      case "text-delta":
        // Most deltas cannot contain a tag.
        return this.#held === "" && this.#open && !part.delta.includes("<")
          ? this.#write(part.delta)
          : this.#cut(part.delta);
      case "text-end":
        return this.#endText();
      default:
        return [part];
    }
  }

  #cut(delta: string): readonly LanguageModelV4StreamPart[] {
    const parts: LanguageModelV4StreamPart[] = [];
    let text = this.#held + delta;
    for (let found = this.#findTag(text); found; found = this.#findTag(text)) {
      parts.push(...this.#write(text.slice(0, found.at)), ...this.#pass(found.isOpening));
      text = text.slice(found.at + (found.isOpening ? this.#opening : this.#closing).length);
    }
    const kept = this.#keptLength(text);
    this.#held = text.slice(text.length - kept);
    return [...parts, ...this.#write(text.slice(0, text.length - kept))];
  }

  #findTag(text: string): { readonly at: number; readonly isOpening: boolean } | undefined {
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
      const isOpening = text.startsWith(this.#opening, at);
      const isQuoted = (at === 0 ? this.#lastChar : text[at - 1]) === "`";
      if (!isQuoted && (isOpening || text.startsWith(this.#closing, at))) return { at, isOpening };
    }
    return undefined;
  }

  /** The number of characters at the end of a text that may belong to an incomplete tag. */
  #keptLength(text: string): number {
    if (!this.#open && text.length < MAX_BLANKS && text.trim() === "") return text.length;
    const at = text.lastIndexOf("<");
    const end = text.slice(at);
    const isBeginning = at >= 0 && (this.#opening.startsWith(end) || this.#closing.startsWith(end));
    return isBeginning ? end.length : 0;
  }

  /** Handles a tag that was found. */
  #pass(isOpening: boolean): readonly LanguageModelV4StreamPart[] {
    this.#lastChar = "";
    this.#isBehindTag = true;
    if (isOpening) {
      if (this.#type === "reasoning") return [];
      this.#type = "reasoning";
      return this.#close();
    }
    const wasText = this.#type === "text";
    this.#isFirst = false;
    this.#type = "text";
    return this.#close(wasText ? "reasoning" : undefined);
  }

  #endText(): readonly LanguageModelV4StreamPart[] {
    const rest = this.#write(this.#held);
    this.#held = "";
    const closed = [...rest, ...this.#close(this.#isFirst ? "text" : undefined)];
    // A server may end a text and continue with another one.
    if (this.#isFirst) this.#type = "text";
    this.#isFirst = false;
    return closed;
  }

  #write(text: string): readonly LanguageModelV4StreamPart[] {
    const type = this.#type;
    const delta = this.#isBehindTag && !this.#open ? text.trimStart() : text;
    // Whitespace alone does not begin a block.
    if (delta === "" || (!this.#open && delta.trim() === "")) return [];
    this.#lastChar = delta.slice(-1);
    if (this.#open) return [{ type: `${type}-delta`, id: this.#open.id, delta }];
    this.#count += 1;
    const id = `tagged-${this.#count}`;
    this.#open = { id, type };
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta },
    ];
  }

  /** @param really the block's real type, if it was sent as the other type */
  #close(really?: BlockType): readonly LanguageModelV4StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    return [{ type: `${open.type}-end`, id: open.id, ...(really && { providerMetadata: { nitka: { really } } }) }];
  }
}

/** The real type of the block that a part ends, if it was sent as the other type. */
export function reallyOf(part: LanguageModelV4StreamPart): BlockType | undefined {
  if (part.type !== "text-end" && part.type !== "reasoning-end") return undefined;
  return part.providerMetadata?.["nitka"]?.["really"] as BlockType | undefined;
}
