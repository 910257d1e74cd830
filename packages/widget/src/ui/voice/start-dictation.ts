import { takeVoice } from "../../browser/take-voice.ts";
import type { HeardEvent, RecognitionErrorEvent, SpeechRecognizer } from "../../browser/speech-recognition.ts";
import { DICTATION_END_MS } from "../../timings.ts";
import { heardSince, heardText, placeHeard } from "./heard-text.ts";
import type { DictationPlace } from "./heard-text.ts";

interface DictationOptions {
  readonly Recognition: new () => SpeechRecognizer;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly place: DictationPlace;
  readonly write: (text: string, caret: number) => void;
  /** Called when the microphone is on. */
  readonly onListening: () => void;
  /** Called once. `problem` is a code of `SpeechRecognitionErrorEvent` if the end has to be explained. */
  readonly onEnd: (problem?: string) => void;
}

export interface Dictation {
  /** Stops listening. What has been said until now is still written. */
  readonly stop: () => void;
  /** Ends at once. What has been written stays. */
  readonly abort: () => void;
  /** The visitor has changed the draft by hand. Text that is heard from now on goes to this place. */
  readonly moveTo: (place: DictationPlace) => void;
  /** This text has been inserted before the draft's content. */
  readonly putAhead: (text: string) => void;
}

/** Writes the visitor's speech into the draft as it is heard. The browser asks them for the microphone. */
export function startDictation(options: DictationOptions): Dictation {
  const { Recognition, lang, write, onListening, onEnd } = options;
  let { place } = options;
  let heard = { text: "", results: 0 };
  let settled = heard;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const recognizer = new Recognition();
  const listening = new AbortController();
  const { signal } = listening;
  const end = (problem?: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    release();
    listening.abort();
    recognizer.abort();
    onEnd(problem);
  };
  const release = takeVoice(() => end());
  Object.assign(recognizer, { lang, continuous: true, interimResults: true });
  const onResult = ({ results }: HeardEvent) => {
    heard = { text: heardText(results), results: results.length };
    const { text, caret } = placeHeard(place, heardSince(results, settled));
    write(text, caret);
  };
  const onError = ({ error }: RecognitionErrorEvent) => {
    // Someone else has taken the microphone, or the visitor has finished speaking.
    const isExpected = error === "aborted" || (error === "no-speech" && heard.text !== "");
    end(isExpected ? undefined : error);
  };
  recognizer.addEventListener("start", onListening, { signal });
  recognizer.addEventListener("result", (event) => onResult(event as HeardEvent), { signal });
  recognizer.addEventListener("error", (event) => onError(event as RecognitionErrorEvent), { signal });
  recognizer.addEventListener("end", () => end(), { signal });
  try {
    recognizer.start();
  } catch {
    // This runs in the next task, when the caller has the return value.
    timer = setTimeout(() => end("failed"));
  }
  return {
    stop() {
      recognizer.stop();
      timer ??= setTimeout(end, DICTATION_END_MS);
    },
    abort: () => end(),
    moveTo(moved) {
      place = moved;
      settled = heard;
    },
    putAhead(text) {
      place = { ...place, before: text + place.before };
    },
  };
}
