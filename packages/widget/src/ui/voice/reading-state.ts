import type { Message } from "@nitka/protocol";
import type { VoiceWords } from "../../i18n/voice-words.ts";
import type { Store } from "../../store/create-store.ts";

type ReadingProblem = Extract<keyof VoiceWords, "noVoice" | "readingFailed">;

/** The key of the answer that is read aloud, or why it could not be. */
export type ReadingState = Pick<
  Store<{ readonly key: string; readonly problem?: ReadingProblem } | undefined>,
  "get" | "set" | "subscribe"
>;

/** The sentences of a growing answer, as they are completed. */
export interface AnswerSentences {
  /** Returns the sentences completed since the last call. */
  readonly take: (answer: Message | undefined) => readonly string[];
  /** Ends the answer and returns the rest. */
  readonly flush: () => readonly string[];
}
