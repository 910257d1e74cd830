/** When the text of a running answer is parsed: often enough to flow, seldom enough to leave the page its time. */
import { createMarkdownDocument, longestPiece } from "./markdown-document.ts";
import type { MarkdownDocument, MarkdownSnapshot } from "./markdown-document.ts";

/** The world's time, in milliseconds. */
export interface FeedClock {
  readonly now: () => number;
  /** Calls back after so many milliseconds. Returns its stop. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** A text that grows, or has been complete from the first. */
export interface FedText {
  readonly text: string;
  /** The text still grows. */
  readonly streaming: boolean;
  /** What was added at last: `text` is then not read again. */
  readonly appended?: { readonly from: number; readonly text: string } | undefined;
}

export interface MarkdownFeed {
  /** Takes the text as it is now. What does not continue the text before replaces it. */
  readonly write: (fed: FedText) => void;
  /** The view has shown a snapshot: how long that took decides when the next one is made. */
  readonly shown: (shown: MarkdownSnapshot) => void;
  readonly snapshot: () => MarkdownSnapshot;
  /** Without a listener nothing is parsed but what `write` parses at once. Returns the listener's end. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Parsing and rendering take at most a third of the time. */
const REST_FACTOR = 3;
/** A block that is open is laid out anew with every change: longer ones change less often. */
const OPEN_CHARS_PER_MS = 200;
/** How long one frame may parse. */
const BUDGET_MS = 8;

export function createMarkdownFeed(clock: FeedClock): MarkdownFeed {
  /** `undefined` once the text is complete: what is shown does not need it any more. */
  let document: MarkdownDocument | undefined = createMarkdownDocument();
  let snapshot = document.snapshot();
  let received = "";
  let backlog = "";
  let streaming = true;
  let startedAt = Number.NEGATIVE_INFINITY;
  let restUntil = Number.NEGATIVE_INFINITY;
  let stopTimer: (() => void) | undefined;
  const listeners = new Set<() => void>();

  function receive({ text, appended }: FedText): void {
    const isNext = appended?.from === received.length && text.length === received.length + appended.text.length;
    if (isNext) {
      backlog += appended.text;
    } else if (text.length > received.length && text.startsWith(received)) {
      backlog += text.slice(received.length);
    } else if (text !== received) {
      restart(text);
    }
    received = text;
  }

  function restart(text: string): void {
    document = createMarkdownDocument();
    backlog = text;
    restUntil = Number.NEGATIVE_INFINITY;
  }

  /** Parses for the length of a frame's share, then waits until the page has had its own. */
  function parse(open: MarkdownDocument): void {
    startedAt = clock.now();
    do {
      const piece = backlog.slice(0, Math.max(longestPiece, open.openLength()));
      backlog = backlog.slice(piece.length);
      open.append(piece);
    } while (backlog !== "" && clock.now() - startedAt < BUDGET_MS);
    const isComplete = backlog === "" && !streaming;
    if (isComplete) open.finish();
    snapshot = open.snapshot();
    if (isComplete) document = undefined;
    rest();
  }

  function rest(): void {
    const now = clock.now();
    const behind = backlog !== "" || !streaming;
    const pause = behind ? 0 : (document?.openLength() ?? 0) / OPEN_CHARS_PER_MS;
    restUntil = Math.max(startedAt + pause, now + (now - startedAt) * (behind ? 1 : REST_FACTOR));
  }

  function pump(): void {
    if (document && isOwing() && clock.now() >= restUntil) parse(document);
    if (listeners.size > 0 && isOwing()) wait();
  }

  /** Text has come that is not shown, or its end. */
  function isOwing(): boolean {
    return document !== undefined && (backlog !== "" || !streaming);
  }

  function wait(): void {
    stopTimer?.();
    stopTimer = clock.after(Math.max(0, restUntil - clock.now()), () => {
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
    shown(shown) {
      // An answer that has not said anything yet was shown without being parsed: there is nothing to rest from.
      if (shown === snapshot && startedAt !== Number.NEGATIVE_INFINITY) rest();
    },
    snapshot: () => snapshot,
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
