/** What an answer says of tools that are missing, and what its model is told of them. */
import type { Message, StreamEvent } from "@nitka/protocol";
import { isRussian } from "../question-language.ts";

const sentences = {
  ru: "*Часть инструментов сейчас недоступна, поэтому ответ может быть неполным.*",
  en: "*Some tools are not available right now, so this answer may be incomplete.*",
} as const;

/** Whether a text of an answer is the sentence: it is the visitor's to read, the model did not write it. */
export function isMissingSentence(text: string): boolean {
  return Object.values<string>(sentences).includes(text.trim());
}

/** The events that tell the visitor, in the language of the question. */
export function missingEvents(history: readonly Message[]): readonly StreamEvent[] {
  const id = "missing-tools";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: sentences[isRussian(history.at(-1)) ? "ru" : "en"] },
    { type: "text-end", id },
  ];
}

/** The instructions with a word to the model, so that it does not promise what it cannot do. */
export function withMissing(instructions: string | undefined, missing: readonly string[]): string | undefined {
  if (missing.length === 0) return instructions;
  const note = `The tools of these servers are not available right now: ${missing.join(", ")}. The visitor has been told that some tools are missing. Do not make up what they would have returned.`;
  return instructions === undefined ? note : `${instructions}\n\n${note}`;
}
