/**
 * The browser's speech engine, controlled by the test: `window.speech`. It replaces the vendors' engines, which need a
 * microphone, voices and a network.
 */
export interface ScriptedSpeech {
  /** The page's calls: `start ru-RU`, `stop`, `abort`, `speak ru-RU Ясно.`, `cancel`, `voices`. */
  readonly log: string[];
  /** Turns the microphone on. */
  begin(): void;
  /** Sets what has been heard so far, one result for each text. A text that ends with `…` may still change. */
  hear(...texts: readonly string[]): void;
  fail(error: string): void;
  /** The browser ends the recording, after a stop or without one. */
  finish(): void;
  /** Starts reading the current utterance and reads it to its end. */
  readOn(): void;
  failReading(error: string): void;
}

/** The head of a page with this speech engine. The script is a text, because the page runs it before any other. */
export const scriptedSpeech = `<script>
  const log = [];
  let recognizer, spoken;
  const tell = (target, type, fields) => target?.dispatchEvent(Object.assign(new Event(type), fields));
  const takeSpoken = () => {
    const current = spoken;
    spoken = undefined;
    return current;
  };
  window.speech = {
    log,
    begin: () => tell(recognizer, "start"),
    hear: (...texts) => tell(recognizer, "result", {
      results: texts.map((text) => Object.assign([{ transcript: text.replace("…", "") }], { isFinal: !text.endsWith("…") })),
    }),
    fail(error) {
      const current = recognizer;
      tell(current, "error", { error });
      tell(current, "end");
    },
    finish: () => tell(recognizer, "end"),
    readOn() {
      const current = takeSpoken();
      tell(current, "start");
      tell(current, "end");
    },
    failReading: (error) => tell(takeSpoken(), "error", { error }),
  };
  window.SpeechRecognition = class extends EventTarget {
    start() {
      recognizer = this;
      log.push("start " + this.lang);
    }
    stop() {
      log.push("stop");
    }
    abort() {
      if (recognizer === this) log.push("abort");
      if (recognizer === this) recognizer = undefined;
    }
  };
  window.webkitSpeechRecognition = undefined;
  window.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) {
      super();
      this.text = text;
    }
  };
  Object.defineProperty(window, "speechSynthesis", {
    configurable: true,
    value: {
      speak(utterance) {
        log.push("speak " + utterance.lang + " " + utterance.text);
        spoken = utterance;
      },
      cancel() {
        log.push("cancel");
        const current = takeSpoken();
        setTimeout(() => tell(current, "error", { error: "canceled" }));
      },
      resume() {},
      getVoices() {
        log.push("voices");
        return [];
      },
    },
  });
</script>`;

/** The head of a page whose browser has no speech engine. */
export const withoutSpeech = `<script>
  for (const name of ["SpeechRecognition", "webkitSpeechRecognition", "speechSynthesis"]) delete window[name];
</script>`;
