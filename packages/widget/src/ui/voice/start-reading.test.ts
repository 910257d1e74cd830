import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { READING_PIECE_MS, READING_START_MS } from "../../timings.ts";
import { startReading } from "./start-reading.ts";

/** The current utterance, and all previous ones. */
let spoken: (EventTarget & { readonly text: string }) | undefined;
let log: string[];

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  vi.stubGlobal(
    "SpeechSynthesisUtterance",
    class extends EventTarget {
      readonly text: string;
      constructor(text: string) {
        super();
        this.text = text;
      }
    },
  );
  vi.stubGlobal("speechSynthesis", {
    speak(utterance: NonNullable<typeof spoken>) {
      spoken = utterance;
      log.push(utterance.text);
    },
    cancel: () => log.push("cancel"),
    resume: () => undefined,
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function read() {
  const onEnd = vi.fn<(outcome?: string) => void>();
  const reading = startReading({ language: () => "ru-RU", onEnd });
  log.length = 0;
  return { ...reading, onEnd };
}

test("a browser that never begins to read has failed", () => {
  const { add, onEnd } = read();
  add(["Раз.", "Два."], true);
  vi.advanceTimersByTime(READING_START_MS);
  expect(onEnd.mock.calls).toEqual([["readingFailed"]]);
  expect(log).toEqual(["Раз.", "cancel"]);
});

test("if the browser does not report the end of a piece, the next one is read", () => {
  const { add, stop, onEnd } = read();
  add(["Раз.", "Два."], true);
  spoken?.dispatchEvent(new Event("start"));
  vi.advanceTimersByTime(READING_PIECE_MS);
  expect(log).toEqual(["Раз.", "cancel", "Два."]);
  stop();
  vi.advanceTimersByTime(READING_PIECE_MS);
  expect(log).toEqual(["Раз.", "cancel", "Два.", "cancel"]);
  expect(onEnd).not.toHaveBeenCalled();
});

test("an answer that has nothing more to read yet is waited for, and an end is told once", () => {
  const { add, onEnd } = read();
  add(["Раз."], false);
  for (const type of ["start", "end"]) spoken?.dispatchEvent(new Event(type));
  vi.advanceTimersByTime(10 * READING_PIECE_MS);
  expect(onEnd).not.toHaveBeenCalled();
  add([], true);
  expect(onEnd.mock.calls).toEqual([["readToEnd"]]);
  add(["Два."], true);
  expect(log).toEqual(["Раз."]);
});
