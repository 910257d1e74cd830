import type { CodeBlock } from "./block.ts";
import { toPieces } from "./block.ts";

/**
 * A fenced block of code that is being written. It is not parsed: each line is compared with the closing fence and then added.
 *
 * @example
 * // "```js\ncall();\nret"
 * const fence: OpenFence = { language: "js", fence: "```", indent: 0, pieces: [], recent: "call();\n", line: "ret" };
 */
export interface OpenFence {
  readonly language: string | undefined;
  /** The opening fence, such as "```". */
  readonly fence: string;
  /** The indentation of the fence in columns. Each line loses up to as many. */
  readonly indent: number;
  /** Full pieces of 50 lines. */
  readonly pieces: readonly string[];
  /** The complete lines after them. */
  readonly recent: string;
  /** The incomplete last line, with its indentation. */
  readonly line: string;
}

/**
 * The lookahead decides where the run ends. Otherwise a shorter run would be tried at each of its characters, and the line read
 * again.
 */
const opening = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^\r\n]*(\r\n|\n|\r)/;

/** The fence that a text begins with, and the text after its line; `undefined` while that line is incomplete. */
export function openFence(
  source: string,
  language: string | undefined,
): { fence: OpenFence; rest: string } | undefined {
  const match = opening.exec(source);
  if (!match) return undefined;
  const [line, indent = "", fence = ""] = match;
  return {
    fence: { language, fence, indent: indent.length, pieces: [], recent: "", line: "" },
    rest: source.slice(line.length),
  };
}

/**
 * Adds text to a fence.
 *
 * @returns the fence, and the text after its closing line; the text is `undefined` until the closing line has arrived
 *
 * @example
 * // to the fence of "```js\n"
 * continueFence(open, "a\n``") // rest: undefined; the fence has recent "a\n" and line "``"
 * continueFence(open, "a\n```\nb") // rest: "b"
 */
export function continueFence(open: OpenFence, text: string): { fence: OpenFence; rest: string | undefined } {
  const source = open.line + text;
  const closing = new RegExp(`^ {0,3}${open.fence.charAt(0)}{${open.fence.length},}[ \\t]*$`);
  let from = 0;
  let lines = "";
  for (const { index, 0: eol } of source.matchAll(/\r\n|\n|\r/g)) {
    const line = source.slice(from, index);
    from = index + eol.length;
    if (closing.test(line)) return { fence: withLines(open, lines, ""), rest: source.slice(from) };
    lines += unindent(line, open.indent) + eol;
  }
  return { fence: withLines(open, lines, source.slice(from)), rest: undefined };
}

/** The block at the end of the text. Its last line is complete now and may be the closing fence. */
export function endFence(open: OpenFence): CodeBlock {
  const isBlank = unindent(open.line, open.indent) === "";
  return toCodeBlock(isBlank ? { ...open, line: "" } : continueFence(open, "\n").fence, true);
}

export function toCodeBlock({ language, fence, indent, pieces, recent, line }: OpenFence, closed: boolean): CodeBlock {
  // A last line with only the fence's characters is probably the start of the closing fence, so it is not shown.
  const typing = new RegExp(`^ {0,3}${fence.charAt(0)}*[ \\t]*$`).test(line) ? "" : unindent(line, indent);
  const last = typing === "" ? withoutLastEol(recent) : recent + typing;
  if (recent + typing !== "" || pieces.length === 0)
    return { type: "code", language, pieces: [...pieces, last], closed };
  return { type: "code", language, pieces: [...pieces.slice(0, -1), withoutLastEol(pieces.at(-1) ?? "")], closed };
}

function withLines(open: OpenFence, lines: string, line: string): OpenFence {
  const all = toPieces(open.recent + lines);
  return { ...open, pieces: [...open.pieces, ...all.slice(0, -1)], recent: all.at(-1) ?? "", line };
}

/** The line ending before the closing fence is not part of the code. */
function withoutLastEol(code: string): string {
  return code.replace(/(?:\r\n|\n|\r)$/, "");
}

/**
 * Removes up to `columns` columns of indentation from a line. A tab reaches the next multiple of 4; a tab that is cut leaves
 * spaces.
 *
 * @example unindent("\ta", 2) // "  a"
 */
function unindent(line: string, columns: number): string {
  let column = 0;
  let index = 0;
  while (column < columns && (line[index] === " " || line[index] === "\t")) {
    column += line[index] === "\t" ? 4 - (column % 4) : 1;
    index += 1;
  }
  return " ".repeat(Math.max(0, column - columns)) + line.slice(index);
}
