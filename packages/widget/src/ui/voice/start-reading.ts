import { takeVoice } from "../../browser/take-voice.ts";
import { READING_PIECE_MS, READING_START_MS } from "../../timings.ts";
import { inPieces } from "./in-pieces.ts";

interface ReadingOptions {
  /** The language of the current part of the answer, a BCP 47 tag. */
  readonly language: () => string;
  /** Called once, unless `stop` was called. The outcome is absent if something else has taken the voice. */
  readonly onEnd: (outcome?: "readToEnd" | "noVoice" | "readingFailed") => void;
}

interface ReadingAloud {
  /** @param isWhole whether these are the last sentences */
  readonly add: (sentences: readonly string[], isWhole: boolean) => void;
  readonly stop: () => void;
}

/**
 * Reads sentences aloud as they arrive, one utterance after another, because Chrome cuts long ones off. It does not request the
 * list of voices: the browser has one for the language, or reports that it has none.
 */
export function startReading({ language, onEnd }: ReadingOptions): ReadingAloud {
  const { speechSynthesis } = globalThis;
  const waiting: string[] = [];
  let isComplete = false;
  let isOver = false;
  /** The reference also prevents garbage collection, after which Chrome would not report the end. */
  let spoken: { readonly utterance: SpeechSynthesisUtterance; readonly listening: AbortController } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const drop = () => {
    clearTimeout(timer);
    if (!spoken) return;
    spoken.listening.abort();
    spoken = undefined;
    speechSynthesis.cancel();
  };
  const stop = () => {
    if (isOver) return;
    isOver = true;
    release();
    removeEventListener("pagehide", onTaken);
    drop();
  };
  const end = (outcome?: Parameters<typeof onEnd>[0]) => {
    if (isOver) return;
    stop();
    onEnd(outcome);
  };
  const onTaken = () => end();
  const release = takeVoice(onTaken);
  // Some browsers continue reading after the page is gone.
  addEventListener("pagehide", onTaken);
  const next = () => {
    drop();
    const text = waiting.shift();
    if (text === undefined) {
      if (isComplete) end("readToEnd");
      return;
    }
    const utterance = new SpeechSynthesisUtterance(text);
    const listening = new AbortController();
    const { signal } = listening;
    spoken = { utterance, listening };
    utterance.lang = language();
    const onStart = () => {
      clearTimeout(timer);
      timer = setTimeout(next, READING_PIECE_MS);
    };
    const onDone = () => {
      spoken = undefined;
      next();
    };
    const onError = ({ error }: SpeechSynthesisErrorEvent) => {
      spoken = undefined;
      if (error === "canceled" || error === "interrupted") end();
      else end(/^(?:language|voice)-unavailable$/.test(error) ? "noVoice" : "readingFailed");
    };
    utterance.addEventListener("start", onStart, { signal });
    utterance.addEventListener("end", onDone, { signal });
    utterance.addEventListener("error", onError, { signal });
    timer = setTimeout(() => end("readingFailed"), READING_START_MS);
    speechSynthesis.speak(utterance);
  };
  // Utterances of the page itself would be read first, and a paused one would block this one.
  speechSynthesis.cancel();
  speechSynthesis.resume();
  return {
    add(sentences, isWhole) {
      if (isOver) return;
      isComplete = isWhole;
      waiting.push(...sentences.flatMap((sentence) => inPieces(sentence)));
      if (!spoken) next();
    },
    stop,
  };
}
