/** What is used of the Web Speech API: TypeScript's library has the results alone. */
export interface SpeechRecognizer extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

/** The events of a recognizer that say something. */
export type HeardEvent = Event & { readonly results: HeardResults };
export type RecognitionErrorEvent = Event & { readonly error: string };

/** Of each stretch of speech the best guess. */
export type HeardResults = ArrayLike<ArrayLike<{ readonly transcript: string }>>;

/** The browser's speech recognition; `undefined` where it has none, as in Firefox. Asks the visitor nothing. */
export function findRecognition(): (new () => SpeechRecognizer) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Readonly<
    Record<string, (new () => SpeechRecognizer) | undefined>
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
}
