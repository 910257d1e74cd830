import type { CodeBlock } from "./block.ts";
import { toPieces } from "./block.ts";

/** A fenced block of code that is being written. No parser looks at it: only its closing line is looked for. */
export interface OpenFence {
  readonly language: string | undefined;
  /** The characters of the fence, such as "```", and how far it is indented. */
  readonly fence: string;
  readonly indent: number;
  /** Full pieces of fifty lines, then what came since. */
  readonly pieces: readonly string[];
  readonly recent: string;
  /** The line that is still being written. */
  readonly line: string;
}

const opening = /^( {0,3})(`{3,}|~{3,})[^\r\n]*(\r\n|\n|\r)/;

/** The fence that a text begins with, once its first line is complete. */
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

/** @returns the fence with the text added, and what follows its closing line: `undefined` while that has not come */
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

/** The whole block, at the end of the answer: what stands in the last line counts as a line. */
export function endFence(open: OpenFence): CodeBlock {
  const isBlank = unindent(open.line, open.indent) === "";
  return toCodeBlock(isBlank ? { ...open, line: "" } : continueFence(open, "\n").fence, true);
}

export function toCodeBlock({ language, fence, indent, pieces, recent, line }: OpenFence, closed: boolean): CodeBlock {
  // A line of nothing but the fence's characters is most likely the closing one on its way: it is not shown.
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

/** The line ending before the closing line belongs to the fence. */
function withoutLastEol(code: string): string {
  return code.replace(/(?:\r\n|\n|\r)$/, "");
}

/** A line without as much indentation as the fence has; of a tab that is cut, spaces remain. */
function unindent(line: string, columns: number): string {
  let column = 0;
  let index = 0;
  while (column < columns && (line[index] === " " || line[index] === "\t")) {
    column += line[index] === "\t" ? 4 - (column % 4) : 1;
    index += 1;
  }
  return " ".repeat(Math.max(0, column - columns)) + line.slice(index);
}
