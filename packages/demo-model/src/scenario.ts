import type { Beat } from "./beat.ts";
import type { Conversation, Language } from "./conversation.ts";

/** A kind of question with prepared answers. */
export interface Scenario {
  readonly matches: (conversation: Conversation) => boolean;
  readonly answer: (conversation: Conversation) => readonly Beat[];
  /** Two to five words for the list of threads. */
  readonly title: (conversation: Conversation) => string;
}

/** The same text in both languages. */
export type Bilingual<T> = Readonly<Record<Language, T>>;

/** One of several wordings. Each regeneration takes the next one. */
export function wording(
  { language, attempt }: Pick<Conversation, "language" | "attempt">,
  texts: Bilingual<readonly string[]>,
): string {
  const choices = texts[language];
  return choices[attempt % choices.length] ?? "";
}

/** Joins texts with blank lines. Empty texts are left out. */
export function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}

/** The sentence that says that this is a demo, only for the first answer of a thread. */
export function introduction(
  conversation: Conversation,
  texts: Bilingual<readonly string[]> = plainIntroduction,
): string | undefined {
  return conversation.isFirst ? wording(conversation, texts) : undefined;
}

/** Says texts, in the first answer of a thread after the introduction. */
export function introduced(conversation: Conversation, ...texts: readonly (string | undefined)[]): Beat {
  return { type: "say", text: paragraphs(introduction(conversation), ...texts) };
}

const plainIntroduction: Bilingual<readonly string[]> = {
  ru: [
    "Сразу скажу: отвечает демонстрационная модель, она встроена в Nitka и работает без ключа и без сети.",
    "Чтобы не было недоразумений: перед вами демо-модель Nitka. Ключ ей не нужен, сеть тоже.",
  ],
  en: [
    "A word up front: this is the demo model built into Nitka. It needs no key and no network.",
    "Just so you know: you are talking to Nitka’s built-in demo model, which works without a key or a network.",
  ],
};
