/** A browser's speech that does what a test says: `window.speech`. It stands in for the engines of vendors, which need a microphone, voices and a network. */
export interface ScriptedSpeech {
  /** What the page has asked of it: `start ru-RU`, `stop`, `abort`, `speak ru-RU Ясно.`, `cancel`, `voices`. */
  readonly log: string[];
  /** The microphone is on. */
  begin(): void;
  /** What has been heard so far, in one result for each text; a text that ends with `…` may still change. */
  hear(...texts: readonly string[]): void;
  fail(error: string): void;
  /** The browser ends the recording: after a stop, or by itself. */
  finish(): void;
  /** Begins to read what is spoken now, and reads it to its end. */
  readOn(): void;
  failReading(error: string): void;
}

/** The head of a page with this speech. It is a script as text, since the page runs it before any other. */
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

/** The head of a page whose browser has no speech. */
export const withoutSpeech = `<script>
  for (const name of ["SpeechRecognition", "webkitSpeechRecognition", "speechSynthesis"]) delete window[name];
</script>`;
