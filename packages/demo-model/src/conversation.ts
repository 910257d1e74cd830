/** Analyses a conversation: its language, the question, the earlier questions. */

export type Language = "ru" | "en";

/** A file that came with a question. */
export interface ShownFile {
  readonly name: string;
  readonly mediaType: string;
  /** Absent when only the name of the file was sent. */
  readonly bytes?: Uint8Array;
  /** The content of a text file. */
  readonly text?: string;
}

/** One message. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly files: readonly ShownFile[];
}

/** What a scenario knows about the conversation when it answers. */
export interface Conversation {
  readonly language: Language;
  readonly question: string;
  /** The question in lower case with «е» for «ё», for searching words. */
  readonly plain: string;
  readonly files: readonly ShownFile[];
  /** The questions before this one. */
  readonly earlier: readonly string[];
  /** Whether the conversation has no answer yet. */
  readonly isFirst: boolean;
  readonly visitorName?: VisitorName;
  /** The tool call of the previous step of this answer. */
  readonly toolCall?: EndedCall;
  /** The names of the tools that the model may call. */
  readonly tools: ReadonlySet<string>;
  /** The context that the visitor's page provides. */
  readonly pageContext?: unknown;
  /** The number of earlier answers to this question in this conversation. */
  readonly attempt: number;
}

/** A tool call that has ended. */
export interface EndedCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly outcome:
    | { readonly type: "returned"; readonly output: unknown }
    | { readonly type: "denied" | "failed"; readonly reason: string };
}

/** The name that the visitor has given. */
export interface VisitorName {
  readonly name: string;
  /** The number of the question that contains the name, from 1. */
  readonly toldIn: number;
}

/** Analyses messages that end with a question. */
export function readConversation(
  turns: readonly Turn[],
  extra: Pick<Conversation, "attempt" | "toolCall" | "tools" | "pageContext">,
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

/** The text in lower case with «е» for «ё», since visitors write either. */
export function plainText(text: string): string {
  return text.toLowerCase().replaceAll("ё", "е");
}

/** The language of the first text with Cyrillic or Latin letters; Russian if none has any. */
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

/** The name that the visitor gave last. */
function nameIn(questions: readonly string[]): VisitorName | undefined {
  for (const [index, question] of [...questions.entries()].toReversed()) {
    // «Как меня зовут?» asks for the name and does not give one.
    if (question.includes("?") && /как меня зовут|what is my name/i.test(question)) continue;
    for (const form of nameForms) {
      const name = form.exec(question)?.[1];
      if (name) return { name: name.charAt(0).toUpperCase() + name.slice(1), toldIn: index + 1 };
    }
  }
  return undefined;
}
