import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SpeechRecognizer } from "../../browser/speech-recognition.ts";
import { DICTATION_END_MS } from "../../timings.ts";
import { startDictation } from "./start-dictation.ts";

const made: Scripted[] = [];
class Scripted extends EventTarget implements SpeechRecognizer {
  lang = "";
  continuous = false;
  interimResults = false;
  readonly log: string[] = [];
  constructor() {
    super();
    made.push(this);
  }
  start() {
    this.log.push("start");
  }
  stop() {
    this.log.push("stop");
  }
  abort() {
    this.log.push("abort");
  }
  hear(transcript: string) {
    this.dispatchEvent(Object.assign(new Event("result"), { results: [[{ transcript }]] }));
  }
  fail(error: string) {
    this.dispatchEvent(Object.assign(new Event("error"), { error }));
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function dictate(Recognition: new () => SpeechRecognizer = Scripted) {
  const written: string[] = [];
  const onEnd = vi.fn<(problem?: string) => void>();
  const dictation = startDictation({
    Recognition,
    lang: "ru-RU",
    place: { before: "", selected: "", after: "" },
    write: (text) => written.push(text),
    onListening: () => undefined,
    onEnd,
  });
  return { ...dictation, recognizer: made.at(-1) as Scripted, written, onEnd };
}

test("a browser that does not end after the stop is cut off, and its late words are not written", () => {
  const { stop, recognizer, written, onEnd } = dictate();
  recognizer.hear("раз");
  stop();
  recognizer.hear("раз два");
  vi.advanceTimersByTime(DICTATION_END_MS);
  expect(onEnd.mock.calls).toEqual([[undefined]]);
  recognizer.hear("раз два три");
  expect(written).toEqual(["раз", "раз два"]);
  expect(recognizer.log).toEqual(["start", "stop", "abort"]);
});

test("silence is a problem only where nothing was heard, and a microphone that another one took is none", () => {
  const silent = dictate();
  silent.recognizer.fail("no-speech");
  expect(silent.onEnd.mock.calls).toEqual([["no-speech"]]);
  const heard = dictate();
  heard.recognizer.hear("раз");
  heard.recognizer.fail("no-speech");
  expect(heard.onEnd.mock.calls).toEqual([[undefined]]);
  const taken = dictate();
  taken.recognizer.fail("aborted");
  taken.recognizer.fail("network");
  expect(taken.onEnd.mock.calls).toEqual([[undefined]]);
});

test("a browser that throws when it is started has failed", () => {
  class Refusing extends Scripted {
    override start() {
      throw new Error("InvalidStateError");
    }
  }
  const { onEnd } = dictate(Refusing);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd.mock.calls).toEqual([["failed"]]);
});
