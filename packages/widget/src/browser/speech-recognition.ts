/** The used part of the Web Speech API. TypeScript's library only has the types of the results. */
export interface SpeechRecognizer extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

/** The events of a recognizer that carry results. */
export type HeardEvent = Event & { readonly results: HeardResults };
export type RecognitionErrorEvent = Event & { readonly error: string };

/** The best guess for each stretch of speech. */
export type HeardResults = ArrayLike<ArrayLike<{ readonly transcript: string }>>;

/** The browser's speech recognition; `undefined` if it has none, like Firefox. Does not ask the visitor for permission. */
export function findRecognition(): (new () => SpeechRecognizer) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Readonly<
    Record<string, (new () => SpeechRecognizer) | undefined>
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
}
