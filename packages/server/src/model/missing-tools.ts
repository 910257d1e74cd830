/** The notices to the visitor and the model when tools are missing. */
import type { Message, StreamEvent } from "@nitka/protocol";
import { isRussian } from "../question-language.ts";

const sentences = {
  ru: "*Часть инструментов сейчас недоступна, поэтому ответ может быть неполным.*",
  en: "*Some tools are not available right now, so this answer may be incomplete.*",
} as const;

/** Whether a text of an answer is the notice. The notice is only for the visitor, so it is not sent to the model. */
export function isMissingToolsNotice(text: string): boolean {
  return Object.values<string>(sentences).includes(text.trim());
}

/** The notice as events of the answer, in the language of the question. */
export function missingToolsNotice(history: readonly Message[]): readonly StreamEvent[] {
  const id = "missing-tools";
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: sentences[isRussian(history.at(-1)) ? "ru" : "en"] },
    { type: "text-end", id },
  ];
}

/** Adds a note to the instructions, so that the model does not promise what it cannot do. */
export function withMissingToolsNote(instructions: string | undefined, missing: readonly string[]): string | undefined {
  if (missing.length === 0) return instructions;
  const note = `The tools of these servers are not available right now: ${missing.join(", ")}. The visitor has been told that some tools are missing. Do not make up what they would have returned.`;
  return instructions === undefined ? note : `${instructions}\n\n${note}`;
}
