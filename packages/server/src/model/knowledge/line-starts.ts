import { MAX_HELD } from "./citation-forms.ts";

/**
 * The beginning of a line: text after marks of this length, a verbatim line (code or a definition), or blank up to its
 * end.
 */
export type LineStart = { readonly kind: "text" | "blank"; readonly length: number } | { readonly kind: "verbatim" };

interface Fence {
  readonly mark: string;
  readonly base: number;
  readonly depth: number;
}

/**
 * Classifies the lines of a Markdown text while it is written: marks of quotes and lists, fences, code, definitions.
 */
export class LineStarts {
  #inParagraph = false;
  #fence: Fence | undefined;
  /** The columns at which the contents of the open list items begin. */
  #lists: number[] = [];

  /** To be called when a line of text has ended. */
  endText(line: string): void {
    this.#inParagraph = !noParagraph.test(line);
  }

  /** @returns `undefined` when more of the line is needed */
  read(buffer: string, isEnd: boolean): LineStart | undefined {
    const whole = buffer.includes("\n") || isEnd || buffer.length > MAX_HELD;
    const quote = /^(?: {0,3}> ?)*/.exec(buffer)?.[0] ?? "";
    let at = quote.length;
    let column = 0;
    for (;;) {
      const spaces = /^[ \t]*/.exec(buffer.slice(at))?.[0] ?? "";
      const rest = buffer.slice(at + spaces.length);
      if (rest === "" && !isEnd) return undefined;
      const indent = column + widthOf(spaces, column);
      if (rest === "" || rest.startsWith("\n")) {
        this.#inParagraph = false;
        return { kind: "blank", length: at + spaces.length + (rest === "" ? 0 : 1) };
      }
      if (this.#fence) {
        if (indent >= this.#fence.base && depthOf(quote) >= this.#fence.depth) return this.#inFence(rest, whole);
        this.#fence = undefined;
      }
      if (column === 0) this.#lists = this.#lists.filter((content) => content <= indent);
      const base = this.#lists.at(-1) ?? 0;
      if (indent - base >= 4) {
        return this.#inParagraph ? this.#text(at + spaces.length, rest, whole) : this.#verbatim();
      }
      const mark = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t\n])/.exec(rest)?.[0];
      if (mark === undefined) {
        if (!whole && /^(?:[-*+]|\d{1,9}[.)]?|`{1,2}|~{1,2})$/.test(rest)) return undefined;
        const opening = /^(`{3,}|~{3,})/.exec(rest)?.[1];
        if (opening !== undefined) {
          if (!whole) return undefined;
          const [line = ""] = rest.split("\n", 1);
          if (opening.startsWith("~") || !line.slice(opening.length).includes("`")) {
            this.#fence = { mark: opening, base, depth: depthOf(quote) };
            return this.#verbatim();
          }
        }
        return this.#text(at + spaces.length, rest, whole);
      }
      const [gap = ""] = /^[ \t]+(?=[^ \t\n])/.exec(rest.slice(mark.length)) ?? [];
      if (gap === "" && !isEnd && /^[ \t]*$/.test(rest.slice(mark.length))) return undefined;
      column = indent + mark.length;
      const width = widthOf(gap, column);
      this.#lists.push(column + (width > 4 ? 1 : Math.max(width, 1)));
      this.#inParagraph = false;
      at += spaces.length + mark.length;
    }
  }

  #verbatim(): LineStart {
    this.#inParagraph = false;
    return { kind: "verbatim" };
  }

  #inFence(rest: string, whole: boolean): LineStart | undefined {
    const { mark } = this.#fence ?? { mark: "" };
    const [line = ""] = rest.split("\n", 1);
    const isMark = line.trimEnd().replaceAll(mark.slice(0, 1), "") === "";
    if (isMark && !whole) return undefined;
    if (isMark && line.trimEnd().length >= mark.length) this.#fence = undefined;
    return this.#verbatim();
  }

  #text(length: number, rest: string, whole: boolean): LineStart | undefined {
    if (!rest.startsWith("[")) return { kind: "text", length };
    const label = /^\[(\^?)[^\]\n]+\]:/.exec(rest);
    const isOpen = /^\[[^\]\n]*\]?$/.test(rest);
    if (!whole && (isOpen || (label && label[1] === ""))) return undefined;
    const [line = ""] = rest.split("\n", 1);
    if (label?.[1] === "" && !this.#inParagraph && definition.test(line)) return this.#verbatim();
    return { kind: "text", length: length + (label?.[1] === "^" ? label[0].length : 0) };
  }
}

/** Headings, rules and underlines of headings: the line after them begins a new block. */
const noParagraph = /^[ >]*(?:#{1,6}(?:\s|$)|(?:-[ \t]*)+$|=+[ \t]*$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$)/;

const definition = /^\[[^\]\n]+\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

function depthOf(quote: string): number {
  return quote.split(">").length - 1;
}

function widthOf(spaces: string, from: number): number {
  let column = from;
  for (const char of spaces) column += char === "\t" ? 4 - (column % 4) : 1;
  return column - from;
}
