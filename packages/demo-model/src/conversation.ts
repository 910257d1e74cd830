/** What the demo makes of a conversation: who speaks which language, what was asked before, what is asked now. */

export type Language = "ru" | "en";

/** A file that came with a question. */
export interface ShownFile {
  readonly name: string;
  readonly mediaType: string;
  /** Bytes, where they came along. */
  readonly bytes?: Uint8Array;
  /** Where it is a text. */
  readonly text?: string;
}

/** One turn, as the demo reads it. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly ShownFile[];
}

export interface Conversation {
  readonly language: Language;
  readonly question: string;
  /** The question in lower case and without «ё», to look for words in. */
  readonly plain: string;
  readonly files: readonly ShownFile[];
  /** The questions before this one. */
  readonly earlier: readonly string[];
  /** Whether the assistant has said nothing yet. */
  readonly isFirst: boolean;
  readonly visitorName?: VisitorName;
  /** What the tool returned in the step before, in this answer. */
  readonly toolOutput?: unknown;
  /** How often this very question was answered before. */
  readonly attempt: number;
}

export interface VisitorName {
  readonly name: string;
  /** The number of the message that told it, from 1. */
  readonly toldIn: number;
}

/** Reads a conversation that ends with a question. */
export function readConversation(
  turns: readonly Turn[],
  extra: { readonly attempt: number; readonly toolOutput?: unknown },
): Conversation {
  const asked = turns.filter((turn) => turn.role === "user");
  const last = asked.at(-1);
  const earlier = asked.slice(0, -1).map((turn) => turn.text);
  const question = last?.text.trim() ?? "";
  const visitorName = nameIn(asked.map((turn) => turn.text));
  return {
    language: languageOf([question, ...earlier.toReversed()]),
    question,
    plain: plainText(question),
    files: last?.files ?? [],
    earlier,
    isFirst: turns.every((turn) => turn.role === "user"),
    ...(visitorName ? { visitorName } : {}),
    ...extra,
  };
}

/** Lower case, «е» for «ё»: visitors write it either way. */
export function plainText(text: string): string {
  return text.toLowerCase().replaceAll("ё", "е");
}

/** The language of the first text that has letters of one of the two; Russian where none has. */
function languageOf(texts: readonly string[]): Language {
  for (const text of texts) {
    if (/[а-яё]/i.test(text)) return "ru";
    if (/[a-z]/i.test(text)) return "en";
  }
  return "ru";
}

const nameForms: readonly RegExp[] = [
  /(?:меня зовут|мо[её] имя(?:\s*[—-])?|зови(?:те)? меня|можно просто)\s+([\p{L}][\p{L}-]{1,30})/iu,
  /(?:my name is|call me|i am called)\s+([\p{L}][\p{L}'-]{1,30})/iu,
  /\bI(?:'|’)?m\s+([A-Z][\p{L}'-]{1,30})(?=[.,!]|$)/u,
];

/** The name that a visitor gave last. */
function nameIn(questions: readonly string[]): VisitorName | undefined {
  for (const [index, question] of [...questions.entries()].toReversed()) {
    // «Как меня зовут?» asks for the name, it does not give one.
    if (question.includes("?") && /как меня зовут|what is my name/i.test(question)) continue;
    for (const form of nameForms) {
      const name = form.exec(question)?.[1];
      if (name) return { name: name.charAt(0).toUpperCase() + name.slice(1), toldIn: index + 1 };
    }
  }
  return undefined;
}
