/**
 * Decides when the text of an answer is parsed while it streams: often enough to flow, and rarely enough that parsing and
 * rendering leave the page time for everything else.
 *
 * @example
 * // A parse and its rendering took 40 ms: the next parse begins 3 × 40 ms after them.
 * // The tail is 10,000 characters long: the next parse begins 10,000 / 200 = 50 ms after this one began.
 * // 1 MB arrives at once: it is parsed for 8 ms, then the page has the same time, and so on.
 */
import { createMarkdownDocument, maxPieceLength } from "./markdown-document.ts";
import type { MarkdownDocument, MarkdownSnapshot } from "./markdown-document.ts";
import type { CitationSyntax } from "./citation-node.ts";
import type { MathSyntax } from "./math/math-node.ts";

/** The time in milliseconds. */
export interface FeedClock {
  readonly now: () => number;
  /** Calls back after `ms`. Returns a function that cancels the callback. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The text of an answer at one moment. */
export interface FeedText {
  readonly text: string;
  /** Whether the text is still growing. */
  readonly streaming: boolean;
  /** The last addition and its index in `text`. If it follows the previous text, `text` itself is not compared. */
  readonly appended?: { readonly from: number; readonly text: string } | undefined;
}

export interface MarkdownFeed {
  /** Sets the text. A text that does not begin with the previous one replaces it. */
  readonly write: (fed: FeedText) => void;
  /** The view calls this when it has rendered a snapshot. The duration decides when the next snapshot is made. */
  readonly rendered: (rendered: MarkdownSnapshot) => void;
  readonly snapshot: () => MarkdownSnapshot;
  /** Reads formulas from now on. Earlier text is parsed again at once, so that nothing disappears meanwhile. */
  readonly readMath: (syntax: MathSyntax) => void;
  /** Likewise reads citations with this syntax from now on. */
  readonly readCitations: (syntax: CitationSyntax) => void;
  /** Without a listener only `write` parses. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** The length of a pause, as a multiple of the parsing and rendering before it. They take at most a quarter of the time. */
const PAUSE_FACTOR = 3;
/** The browser lays out the open block again at every change, so a longer tail needs a longer pause. */
const TAIL_CHARS_PER_PAUSE_MS = 200;
/** The maximum time for parsing in one frame: about half of 16 ms. */
const PARSE_MS = 8;

export function createMarkdownFeed(clock: FeedClock, math?: MathSyntax): MarkdownFeed {
  let syntax = math;
  let citations: CitationSyntax | undefined;
  /** `undefined` once the whole text is parsed, because the snapshot no longer needs the document. */
  let document: MarkdownDocument | undefined = createMarkdownDocument(syntax);
  let snapshot = document.snapshot();
  let received = "";
  /** The end of `received` that is not parsed yet. */
  let backlog = "";
  let streaming = true;
  let startedAt = Number.NEGATIVE_INFINITY;
  let pauseUntil = Number.NEGATIVE_INFINITY;
  let stopTimer: (() => void) | undefined;
  const listeners = new Set<() => void>();

  function receive({ text, appended }: FeedText): void {
    const isNext = appended?.from === received.length && text.length === received.length + appended.text.length;
    if (isNext) {
      backlog += appended.text;
    } else if (text.length > received.length && text.startsWith(received)) {
      backlog += text.slice(received.length);
    } else if (text !== received) {
      restart(text);
    }
  }

  function restart(text: string): void {
    document = createMarkdownDocument(syntax, citations);
    backlog = text;
    pauseUntil = Number.NEGATIVE_INFINITY;
  }

  /** Parses for at most `PARSE_MS`, then starts a pause. */
  function parse(open: MarkdownDocument): void {
    startedAt = clock.now();
    do {
      const piece = backlog.slice(0, Math.max(maxPieceLength, open.openLength()));
      backlog = backlog.slice(piece.length);
      open.append(piece);
    } while (backlog !== "" && clock.now() - startedAt < PARSE_MS);
    const isComplete = backlog === "" && !streaming;
    if (isComplete) open.finish();
    snapshot = open.snapshot();
    if (isComplete) document = undefined;
    pause();
  }

  /** Sets the end of the pause. With a backlog the page gets as much time as the parse took, otherwise three times as much. */
  function pause(): void {
    const now = clock.now();
    const isBehind = backlog !== "" || !streaming;
    const tailPauseMs = isBehind ? 0 : (document?.openLength() ?? 0) / TAIL_CHARS_PER_PAUSE_MS;
    pauseUntil = Math.max(startedAt + tailPauseMs, now + (now - startedAt) * (isBehind ? 1 : PAUSE_FACTOR));
  }

  function pump(): void {
    if (document && hasWork() && clock.now() >= pauseUntil) parse(document);
    if (listeners.size > 0 && hasWork()) wait();
  }

  /** Whether there is text to parse, or the end of the text to process. */
  function hasWork(): boolean {
    return document !== undefined && (backlog !== "" || !streaming);
  }

  /** Parses all parsed text again, with the current syntaxes. */
  function parseAgain(): void {
    const whole = createMarkdownDocument(syntax, citations);
    whole.append(received.slice(0, received.length - backlog.length));
    if (document) document = whole;
    else whole.finish();
    snapshot = whole.snapshot();
    for (const listener of listeners) listener();
  }

  function wait(): void {
    stopTimer?.();
    stopTimer = clock.after(Math.max(0, pauseUntil - clock.now()), () => {
      stopTimer = undefined;
      pump();
      for (const listener of listeners) listener();
    });
  }

  return {
    write(fed) {
      if (!document && fed.text !== received) restart(fed.text);
      else receive(fed);
      received = fed.text;
      streaming = fed.streaming;
      const before = snapshot;
      pump();
      if (snapshot !== before) for (const listener of listeners) listener();
    },
    rendered(rendered) {
      // The first snapshot is rendered without a parse before it and needs no pause.
      if (rendered === snapshot && startedAt !== Number.NEGATIVE_INFINITY) pause();
    },
    snapshot: () => snapshot,
    readMath(given) {
      if (syntax) return;
      syntax = given;
      parseAgain();
    },
    readCitations(given) {
      citations = given;
      parseAgain();
    },
    subscribe(listener) {
      listeners.add(listener);
      pump();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopTimer?.();
      };
    },
  };
}
