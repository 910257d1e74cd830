import type { Message } from "@nitka/protocol";
import type { VoiceWords } from "../../i18n/voice-words.ts";
import type { Store } from "../../store/create-store.ts";

type ReadingProblem = Extract<keyof VoiceWords, "noVoice" | "readingFailed">;

/** Which answer of a thread is read aloud, by its key; or why it could not be. */
export type ReadingState = Pick<
  Store<{ readonly key: string; readonly problem?: ReadingProblem } | undefined>,
  "get" | "set" | "subscribe"
>;

/** The sentences of a growing answer, as they become whole. */
export interface AnswerSentences {
  /** Those that have become whole since the last call. */
  readonly take: (answer: Message | undefined) => readonly string[];
  /** Ends the answer; returns what is left. */
  readonly flush: () => readonly string[];
}
