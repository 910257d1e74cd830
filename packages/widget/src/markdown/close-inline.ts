import { endsInCjk } from "./cjk-emphasis.ts";
import { isFormula } from "./math/is-formula.ts";

/**
 * An HTML tag that is shown as an element if its pair is in the same text, because markdown has no other syntax for it. It has
 * no attributes.
 *
 * @example pairedTag.exec("<sub>2</sub>") // ["<sub>", "", "sub"]
 */
export const pairedTag = /^<(\/?)(su[bp]|kbd|mark|u)>/;

/** The address of a link whose address is still being written. The view shows such a link as text. */
export const pendingUrl = "pending:";

/**
 * The reach of an opening marker, in UTF-16 units: a marker further back is a plain character. It is also the maximum length of
 * a formula.
 */
const maxReach = 400;

/** The maximum depth of nested open markers. */
const maxDepth = 32;

/** An opening marker of `length` characters at the index `at`: a run of `*`, `_` or `~`, a `[`, or a tag by its name. */
interface Opener {
  readonly marker: string;
  readonly at: number;
  readonly length: number;
}

/** The index to read next, or the result if an unfinished marker at the end of the text decides it. */
type Step = number | string;

/**
 * Closes the inline markers that are open at the end of a paragraph, heading or cell that is still being written, so that it is
 * shown as what it will probably become. Unfinished images, footnotes, citations, formulas, comments and partial markers are
 * left out. Text without open markers is returned unchanged.
 *
 * A single pass from left to right keeps a stack of open markers: `*`, `_`, `~` by CommonMark's flanking rules (section 6.2),
 * `[` for links, and tags. Code spans, formulas and autolinks are skipped as a whole.
 *
 * @example
 * closeInline("a **bold") // "a **bold**"
 * closeInline("a **bold *both") // "a **bold *both***"
 * closeInline("a **bold*") // "a **bold**": the second asterisk is still to come
 * closeInline("call `fo") // "call `fo`"
 * closeInline("see [the docs](htt") // "see [the docs](pending:)"
 * closeInline("look ![a cat](htt") // "look "
 * closeInline("5 * 3, snake_case") // "5 * 3, snake_case"
 */
export function closeInline(source: string): string {
  const openers: Opener[] = [];
  let at = 0;
  while (at < source.length) {
    const step = readMarker(source, at, openers);
    if (typeof step === "string") return step;
    at = step;
  }
  return closeAll(source, openers);
}

function readMarker(source: string, at: number, openers: Opener[]): Step {
  const char = source.charAt(at);
  switch (char) {
    case "\\":
    case "$":
      return readFormulaAt(source, at, openers);
    case "`":
      return readCode(source, at, openers);
    case "<":
      return readAngle(source, at, openers);
    case "[":
      pushOpener(openers, { marker: "[", at, length: 1 });
      return at + 1;
    case "]":
      return readLabelEnd(source, at, openers);
    case "*":
    case "_":
    case "~":
      return readRun(source, at, char, openers);
    default:
      return at + 1;
  }
}

/** Reads a formula as a whole, because its characters are not markers. An unfinished formula is left out. */
function readFormulaAt(source: string, at: number, openers: readonly Opener[]): Step {
  const rest = source.slice(at, at + maxReach + 1);
  const whole =
    /^(?:\\\([^]*?\\\)|\\\[[^]*?\\\]|\$\$[^]*?\$\$|\$(?!\s)(?:[^\n\r$\\]|\\[^\n\r])+(?<!\s)\$(?![\w$]))/.exec(rest);
  if (whole) return at + whole[0].length;
  const [, inDollars = ""] = /^\$(?!\s)((?:[^\n\r$\\]|\\.?)+)$/.exec(rest) ?? [];
  const isOpen =
    /^(?:\\$|\\[([]|\$\$|\$$)/.test(rest) || (isFormula(inDollars, "dollars") && !isWord(source.charAt(at - 1)));
  if (isOpen && rest.length <= maxReach) return closeAll(source.slice(0, at), openers);
  return at + (rest.startsWith("$") ? 1 : 2);
}

function readCode(source: string, at: number, openers: readonly Opener[]): Step {
  const run = runAt(source, at);
  const content = at + run.length;
  for (let end = source.indexOf("`", content); end >= 0;) {
    const closing = runAt(source, end);
    if (closing === run) return end + closing.length;
    // A shorter run at the end is probably the start of the closing run, so it is not shown as code.
    if (end + closing.length === source.length && closing.length < run.length) {
      return closeAll(`${source.slice(0, end)} ${run}`, openers);
    }
    end = source.indexOf("`", end + closing.length);
  }
  if (source.length - at > maxReach || /[\r\n]/.test(source.slice(at))) return content;
  return closeAll(content === source.length ? source.slice(0, at) : source + run, openers);
}

function readAngle(source: string, at: number, openers: Opener[]): Step {
  const rest = source.slice(at, at + maxReach);
  const [tag, slash, name = ""] = pairedTag.exec(rest) ?? [];
  if (tag !== undefined) {
    const index = openers.findLastIndex(({ marker }) => marker === name);
    if (slash === "") pushOpener(openers, { marker: name, at, length: tag.length });
    else if (index >= 0) openers.length = index;
    return at + tag.length;
  }
  const isEnd = at + rest.length === source.length;
  // This matches an unfinished tag, comment, or protocol of an autolink.
  if (isEnd && /^<(?:\/?[a-z][\w+.-]* ?\/?|\/|!-?|!--(?:(?!-->)[^])*)?$/i.test(rest)) {
    return closeAll(source.slice(0, at), openers);
  }
  if (isEnd && /^<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i.test(rest)) {
    return closeAll(source.slice(0, at) + rest.slice(1), openers);
  }
  return at + (/^<(?:!--[^]*?--|[^<>\r\n]*)>/.exec(rest)?.[0].length ?? 1);
}

function readLabelEnd(source: string, at: number, openers: Opener[]): Step {
  const index = openers.findLastIndex(({ marker }) => marker === "[");
  const opener = openers[index];
  if (!opener) return at + 1;
  openers.length = index;
  const label = source.slice(opener.at + 1, at);
  const rest = source.slice(at + 1);
  if (/^(?:\^|[ xX]?$)/.test(label)) return at + 1;
  const complete = /^\((?:[^()\\\r\n]|\\.|\((?:[^()\\\r\n]|\\.)*\))*\)|^\[[^\]]*\]/.exec(rest);
  if (complete) return at + 1 + complete[0].length;
  if (!/^(?:$|[([][^\r\n]*$)/.test(rest)) return at + 1;
  if (isImage(source, opener)) return closeAll(source.slice(0, opener.at - 1), openers);
  if (isCitation(label)) return closeAll(source.slice(0, opener.at), openers);
  return closeAll(`${source.slice(0, at)}](${pendingUrl})`, openers);
}

function readRun(source: string, at: number, marker: string, openers: Opener[]): Step {
  const run = runAt(source, at);
  const before = source.charAt(at - 1);
  const after = source.charAt(at + run.length);
  // CJK has no spaces between words, so a marker may open and close beside every character (see cjk-emphasis.ts).
  const isCjk = marker !== "_" && (endsInCjk(source.slice(Math.max(0, at - 2), at)) || endsInCjk(after));
  const isInWord = isWord(before) && !isCjk;
  const opens = isWord(after) ? !isInWord || marker === "*" : isPunctuation(after) && !isInWord;
  const closes = isWord(before) || (isPunctuation(before) && (isCjk || !isWord(after)));
  const open = openers.slice();
  let left = run.length;
  while (left > 0) {
    const index = openers.findLastIndex((opener) => opener.marker === marker || opener.marker === "[");
    const opener = openers[index];
    if (!closes || opener?.marker !== marker) break;
    // This is the first half of a closing marker. The second half has not arrived yet.
    if (after === "" && left < opener.length) return closeAll(source.slice(0, at), open);
    const used = Math.min(left, opener.length, 2);
    openers.length = index;
    if (opener.length > used) openers.push({ ...opener, length: opener.length - used });
    left -= used;
  }
  if (after === "" && left === run.length && !isInWord) return closeAll(source.slice(0, at), openers);
  if (opens && left > 0 && left <= 3 && !isInWord && (marker !== "~" || left === 2)) {
    pushOpener(openers, { marker, at: at + run.length - left, length: left });
  }
  return at + run.length;
}

function pushOpener(openers: Opener[], opener: Opener): void {
  openers.push(opener);
  if (openers.length > maxDepth) openers.shift();
}

/**
 * The text with a closing marker for each open one, innermost first. White space and empty pairs of markers at the end are left
 * out.
 */
function closeAll(text: string, openers: readonly Opener[]): string {
  const near = openers.filter(({ at }) => text.length - at <= maxReach);
  const opener = near.at(-1);
  if (!opener) return text;
  const below = near.slice(0, -1);
  const shown = text.replace(/\\?[\r\n][\s>]*$/, "").trimEnd();
  const content = shown.slice(opener.at + opener.length);
  if (content === "") return closeAll(shown.slice(0, opener.at), below);
  if (/[a-z]/.test(opener.marker)) return closeAll(`${shown}</${opener.marker}>`, below);
  if (opener.marker !== "[") return closeAll(shown + opener.marker.repeat(opener.length), below);
  if (isImage(text, opener)) return closeAll(shown.slice(0, opener.at - 1), below);
  if (isCitation(content)) return closeAll(shown.slice(0, opener.at), below);
  // A link cannot contain links, so only the outermost bracket becomes one.
  const isOutermost = below.every(({ marker }) => marker !== "[");
  return closeAll(isOutermost ? `${shown}](${pendingUrl})` : shown, below);
}

function runAt(source: string, at: number): string {
  let end = at + 1;
  while (source[end] === source[at]) end += 1;
  return source.slice(at, end);
}

/**
 * Whether a label belongs to a footnote or a source, such as `^1`, `1` or `2, 3`. Only the text after it can make it a link.
 */
function isCitation(label: string): boolean {
  return /^(?:\^|\d[\d, ]*$)/.test(label);
}

function isImage(source: string, opener: Opener): boolean {
  return source[opener.at - 1] === "!" && source[opener.at - 2] !== "\\";
}

function isWord(char: string): boolean {
  return char !== "" && !/[\s\p{P}\p{S}]/u.test(char);
}

function isPunctuation(char: string): boolean {
  return /[\p{P}\p{S}]/u.test(char);
}
