import { citationsAtEnd, closeOf, MAX_HELD, numbersIn, paragraphOf } from "./citation-forms.ts";
import { LineStarts } from "./line-starts.ts";

/**
 * Normalizes the citations in an answer's text to one form, `[1]` or `[1, 2]`, while the text is written. Models also
 * write other forms: `【1】`, `[^1]`, `[1，2]`, `[[1]](address)`. A number without a passage is left out. Code, links,
 * images, addresses and reference definitions stay unchanged.
 *
 * The output does not depend on where the text is cut into deltas: as much is held back as the next decision needs.
 */
export class CitationText {
  readonly #cites: (n: number, before: string) => boolean;
  readonly #lines = new LineStarts();
  #buffer = "";
  #atLineStart = true;
  /** The current line so far, which determines the kind of its block. */
  #line = "";
  /** Whether the rest of the line is passed on unchanged. */
  #isVerbatim = false;
  #inAddress = false;
  /** The text to insert before a citation that follows directly. */
  #gap = "";
  /** The end of the text passed on so far: for quotes, and for the context of a bracket. */
  #written = "";
  /** Whether the text passed on so far ends with a citation. */
  #afterCitation = false;
  #out = "";

  /**
   * @param cites returns whether a number belongs to a passage, which then counts as cited; `before` is the text before
   * its `[n]`
   */
  constructor(cites: (n: number, before: string) => boolean) {
    this.#cites = cites;
  }

  /** Takes the next delta. Returns the text that is decided. */
  push(delta: string): string {
    this.#buffer += delta;
    return this.#advance(false);
  }

  /** Returns the held-back text, at the end of the text. */
  flush(): string {
    return this.#advance(true);
  }

  #advance(isEnd: boolean): string {
    this.#out = "";
    while (this.#buffer !== "") {
      const { length } = this.#buffer;
      if (this.#isVerbatim) this.#takeRestOfLine();
      else if (this.#atLineStart ? !this.#beginLine(isEnd) : !this.#takeInline(isEnd)) break;
      // The beginning of a line may consume nothing.
      if (this.#buffer.length === length && this.#atLineStart) break;
    }
    return this.#out;
  }

  /** Passes the next characters on, or `text` in their place. */
  #take(length: number, text = this.#buffer.slice(0, length)): void {
    const raw = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    this.#out += text;
    this.#written = (this.#written + text).slice(-MAX_BEFORE);
    this.#afterCitation = false;
    this.#gap = "";
    const end = raw.lastIndexOf("\n");
    this.#line = end === -1 ? this.#line + raw : raw.slice(end + 1);
  }

  #takeRestOfLine(): void {
    const end = this.#buffer.indexOf("\n");
    if (end === -1) return this.#take(this.#buffer.length);
    this.#isVerbatim = false;
    this.#endLine(end + 1);
  }

  #endLine(length: number): void {
    this.#take(length);
    this.#inAddress = false;
    this.#atLineStart = true;
  }

  /** Returns `false` when more text is needed. */
  #beginLine(isEnd: boolean): boolean {
    const start = this.#lines.read(this.#buffer, isEnd);
    if (!start) return false;
    if (start.kind === "blank") {
      if (this.#buffer.length > start.length || this.#buffer.endsWith("\n")) this.#endLine(start.length);
      else this.#take(start.length);
      return true;
    }
    this.#isVerbatim = start.kind === "verbatim";
    this.#atLineStart = false;
    if (start.kind === "text") this.#take(start.length);
    return true;
  }

  /** Takes the next piece of a line. Returns `false` when more text is needed. */
  #takeInline(isEnd: boolean): boolean {
    const buffer = this.#buffer;
    if (this.#inAddress) return this.#takeAddress(isEnd);
    const [plain] = /^[^\n\\`<[【［ \thHwW]+/.exec(buffer) ?? [];
    if (plain !== undefined) {
      this.#take(plain.length);
      return true;
    }
    const [char = ""] = buffer;
    switch (char) {
      case "\n":
        this.#lines.endText(this.#line);
        this.#endLine(1);
        return true;
      case "\\":
        if (buffer.length === 1 && !isEnd) return false;
        this.#take(/^\\[!-/:-@[-`{-~]/.test(buffer) ? 2 : 1);
        return true;
      case "`":
        return this.#takeCode(isEnd);
      case "<":
        return this.#takeOrWait(/^<[^\s<>]*>/, /^<[^\s<>]*$/, isEnd);
      case "[":
      case "【":
      case "［":
        return this.#takeBracket(0, isEnd);
      case " ":
      case "\t": {
        const [spaces = ""] = /^[ \t]+/.exec(buffer) ?? [];
        if (spaces.length === buffer.length && !isEnd) return false;
        if (/^[[【［]/.test(buffer.slice(spaces.length))) return this.#takeBracket(spaces.length, isEnd);
        this.#take(spaces.length);
        return true;
      }
      default:
        if (/[a-z0-9]$/i.test(this.#written)) {
          this.#take(1);
          return true;
        }
        if (!isEnd && buffer.length < 8 && /^(?:https?:\/\/|www\.)/i.test(addressPrefix(buffer))) return false;
        this.#inAddress = /^(?:https?:\/\/|www\.)/i.test(buffer);
        if (!this.#inAddress) this.#take(1);
        return true;
    }
  }

  /**
   * An address reaches to the next space. Citations directly after it, or after the bracket around it, are not part of
   * it.
   */
  #takeAddress(isEnd: boolean): boolean {
    const [rest = "", last] = /^[^\s<【［[]*(.)?/s.exec(this.#buffer) ?? [];
    const { length } = last === undefined ? rest : rest.slice(0, -1);
    if (length > 0 || last === undefined) {
      this.#take(length);
      return true;
    }
    const word = /^\S+/.exec(this.#buffer)?.[0] ?? "";
    if (last === "[" && word === this.#buffer && !isEnd && word.length < MAX_HELD) return false;
    if (last === "[" && !citationsAtEnd.test(word)) {
      this.#take(1);
      return true;
    }
    this.#inAddress = false;
    // Without a space, a reader would take the citation for a part of the address.
    if (/[[【［]/.test(last)) this.#gap = " ";
    return true;
  }

  #takeOrWait(whole: RegExp, part: RegExp, isEnd: boolean): boolean {
    const [found] = whole.exec(this.#buffer) ?? [];
    if (found === undefined && !isEnd && this.#buffer.length < MAX_HELD && part.test(this.#buffer)) return false;
    this.#take(found?.length ?? 1);
    return true;
  }

  /** A code span reaches to the next run of as many backticks; without one the backticks are text. */
  #takeCode(isEnd: boolean): boolean {
    const { text, isCut } = paragraphOf(this.#buffer);
    const [run = ""] = /^`+/.exec(text) ?? [];
    const close = new RegExp(`[^\`]${run}(?!\`)`).exec(text.slice(run.length));
    const end = close ? run.length + close.index + 1 + run.length : undefined;
    // The length of a run at the end of the buffer is not known yet.
    if (!isEnd && !isCut && (end === undefined || end === text.length)) return false;
    this.#take(end ?? run.length);
    return true;
  }

  /** @param spaces the number of spaces before the bracket, which are left out together with a citation */
  #takeBracket(spaces: number, isEnd: boolean): boolean {
    const { text, isCut } = paragraphOf(this.#buffer.slice(spaces));
    const isLast = isEnd || isCut;
    const close = closeOf(text, 0);
    if (close === undefined) {
      if (!isLast) return false;
      this.#take(spaces + 1);
      return true;
    }
    if (close + 1 === text.length && !isLast) return false;
    const bracketed = text.slice(0, close + 1);
    const numbers = numbersIn(bracketed);
    if (text[0] === "[" && text[close + 1] === "(") {
      const end = closeOf(text, close + 1);
      if (end === undefined && !isLast) return false;
      if (end !== undefined && destination.test(text.slice(close + 2, end))) {
        if (numbers && bracketed.startsWith("[[")) {
          if (end + 1 === text.length && !isLast) return false;
          return this.#cite(spaces, end + 1, numbers, text[end + 1]);
        }
        this.#take(spaces + end + 1);
        return true;
      }
    }
    if (!numbers) {
      this.#take(spaces + 1);
      return true;
    }
    return this.#cite(spaces, close + 1, numbers, text[close + 1]);
  }

  #cite(spaces: number, length: number, numbers: readonly number[], next: string | undefined): true {
    const before = this.#written + this.#buffer.slice(0, spaces);
    const known = [...new Set(numbers)].filter((n) => this.#cites(n, before));
    // `[text][7]` may refer to a definition that follows.
    const mayRefer = this.#buffer[spaces] === "[" && /\[[^[\]]*\]$/.test(before) && !this.#afterCitation;
    if (known.length > 0) {
      this.#take(spaces + length, `${this.#gap}${this.#buffer.slice(0, spaces)}[${known.join(", ")}]`);
      this.#afterCitation = true;
    } else if (numbers.every((n) => n === 0) || mayRefer) {
      this.#take(spaces + length);
    } else {
      const joins = next !== undefined && /[\p{L}\p{N}]/u.test(next);
      const { length: kept } = joins ? this.#buffer.slice(0, spaces) : "";
      this.#take(spaces + length, this.#buffer.slice(0, kept));
      this.#afterCitation = true;
    }
    return true;
  }
}

/** The most characters before a citation from which its quote is chosen. */
const MAX_BEFORE = 400;

const destination = /^\s*(?:<[^<>\n]*>|[^\s<]\S*)?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** The address prefix that a buffer may be the beginning of. */
function addressPrefix(buffer: string): string {
  const lower = buffer.toLowerCase();
  return ["https://", "http://", "www."].find((address) => address.startsWith(lower)) ?? "";
}
