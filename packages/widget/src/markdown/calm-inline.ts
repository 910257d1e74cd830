import { endsInCjk } from "./cjk.ts";

/** An address that leads nowhere: that of a link whose own address is still being written. */
export const pendingUrl = "pending:";

/** An opening marker further back than this is taken for a plain character. */
const reach = 400;

/** Open markers inside each other. */
const deepest = 32;

type Marker = "*" | "_" | "~" | "[";

interface Opener {
  readonly marker: Marker;
  readonly at: number;
  readonly length: number;
}

/** Where to go on reading, or the text to show when what is open at its end has been found. */
type Step = number | string;

/**
 * The text of an unfinished paragraph with its open markers closed: `**bo` is strong at once, `[text](htt` a link without an
 * address; a half image or footnote is not there yet. Text with nothing open comes back as it is.
 */
export function calmInline(source: string): string {
  const openers: Opener[] = [];
  let at = 0;
  while (at < source.length) {
    const step = readMarker(source, at, openers);
    if (typeof step === "string") return step;
    at = step;
  }
  return close(source, openers);
}

function readMarker(source: string, at: number, openers: Opener[]): Step {
  const char = source.charAt(at);
  switch (char) {
    case "\\":
      return at + 1 < source.length ? at + 2 : close(source.slice(0, at), openers);
    case "`":
      return readCode(source, at, openers);
    case "<":
      return readAngle(source, at, openers);
    case "[":
      open(openers, { marker: "[", at, length: 1 });
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

function readCode(source: string, at: number, openers: readonly Opener[]): Step {
  const run = runAt(source, at);
  const content = at + run.length;
  for (let end = source.indexOf("`", content); end >= 0;) {
    const closing = runAt(source, end);
    if (closing === run) return end + closing.length;
    // A closing run that is only half there is not shown as a part of the code.
    if (end + closing.length === source.length && closing.length < run.length) {
      return close(`${source.slice(0, end)} ${run}`, openers);
    }
    end = source.indexOf("`", end + closing.length);
  }
  if (source.length - at > reach || /[\r\n]/.test(source.slice(at))) return content;
  return close(content === source.length ? source.slice(0, at) : source + run, openers);
}

function readAngle(source: string, at: number, openers: readonly Opener[]): Step {
  const rest = source.slice(at);
  if (rest === "<") return close(source.slice(0, at), openers);
  if (/^<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i.test(rest)) return close(source.slice(0, at) + rest.slice(1), openers);
  return at + (/^<[^<>\r\n]*>/.exec(rest)?.[0].length ?? 1);
}

function readLabelEnd(source: string, at: number, openers: Opener[]): Step {
  const index = openers.findLastIndex(({ marker }) => marker === "[");
  const opener = openers[index];
  if (!opener) return at + 1;
  openers.length = index;
  const label = source.slice(opener.at + 1, at);
  const rest = source.slice(at + 1);
  if (label.startsWith("^") || /^[ xX]?$/.test(label)) return at + 1;
  const complete = /^\((?:[^()\\\r\n]|\\.|\((?:[^()\\\r\n]|\\.)*\))*\)|^\[[^\]]*\]/.exec(rest);
  if (complete) return at + 1 + complete[0].length;
  if (!/^(?:$|[([][^\r\n]*$)/.test(rest)) return at + 1;
  if (isImage(source, opener)) return close(source.slice(0, opener.at - 1), openers);
  return close(`${source.slice(0, at)}](${pendingUrl})`, openers);
}

function readRun(source: string, at: number, marker: Exclude<Marker, "[">, openers: Opener[]): Step {
  const run = runAt(source, at);
  const before = source.charAt(at - 1);
  const after = source.charAt(at + run.length);
  // Words of such a script stand together: a marker may begin or end right beside one.
  const isCjk = marker !== "_" && (endsInCjk(source.slice(Math.max(0, at - 2), at)) || endsInCjk(after));
  const isInWord = isWord(before) && !isCjk;
  const opens = isWord(after) ? !isInWord || marker === "*" : isPunctuation(after) && !isInWord;
  const closes = isWord(before) || (isPunctuation(before) && (isCjk || !isWord(after)));
  let left = run.length;
  while (left > 0) {
    const index = openers.findLastIndex((opener) => opener.marker === marker || opener.marker === "[");
    const opener = openers[index];
    if (!closes || opener?.marker !== marker) break;
    // Half of a closing marker: the other half is on its way.
    if (after === "" && left < opener.length) return close(source.slice(0, at), openers);
    const used = Math.min(left, opener.length, 2);
    openers.length = index;
    if (opener.length > used) openers.push({ ...opener, length: opener.length - used });
    left -= used;
  }
  if (after === "" && left === run.length && !isInWord) return close(source.slice(0, at), openers);
  if (opens && left > 0 && left <= 3 && !isInWord && (marker !== "~" || left === 2)) {
    open(openers, { marker, at: at + run.length - left, length: left });
  }
  return at + run.length;
}

function open(openers: Opener[], opener: Opener): void {
  openers.push(opener);
  if (openers.length > deepest) openers.shift();
}

/** The text with a closing marker for each that is open. */
function close(text: string, openers: readonly Opener[]): string {
  const near = openers.filter(({ at }) => text.length - at <= reach);
  const opener = near.at(-1);
  if (!opener) return text;
  const below = near.slice(0, -1);
  const shown = text.replace(/\\?[\r\n][\s>]*$/, "").trimEnd();
  const content = shown.slice(opener.at + opener.length);
  if (content === "") return close(shown.slice(0, opener.at), below);
  if (opener.marker !== "[") return close(shown + opener.marker.repeat(opener.length), below);
  if (isImage(text, opener)) return close(shown.slice(0, opener.at - 1), below);
  if (content.startsWith("^")) return close(shown.slice(0, opener.at), below);
  // Links do not stand in links: only the outermost bracket can become one.
  const isOutermost = below.every(({ marker }) => marker !== "[");
  return close(isOutermost ? `${shown}](${pendingUrl})` : shown, below);
}

function runAt(source: string, at: number): string {
  let end = at + 1;
  while (source[end] === source[at]) end += 1;
  return source.slice(at, end);
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
