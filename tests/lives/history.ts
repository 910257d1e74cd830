/** What must be true of a thread's history at any moment, even while its answers are being written. */
import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import type { ToldThread } from "./told.ts";

type Wrong = (text: string) => void;

/** What a visitor knew about a thread at one moment. */
export type KnownHistory = Pick<ToldThread, "questions" | "answers">;

/** What the visitor knows now. A history that is requested later must contain it. */
export function knownNow({ questions, answers }: ToldThread): KnownHistory {
  return {
    questions: new Map([...questions].map(([id, question]) => [id, { ...question }])),
    answers: answers.filter(({ end }) => end !== undefined).map(({ id, text, end }) => ({ id, text, end })),
  };
}

/** Checks a history that was requested after the visitor knew this: nothing is lost or duplicated. */
export function judgeHistory(known: KnownHistory, messages: readonly Message[], wrong: Wrong): void {
  const byId = new Map<string, Message>();
  const texts = new Map<string, string>();
  for (const message of messages) {
    const { id, role, parentId } = message;
    if (byId.has(id)) wrong(`${id} is there twice`);
    if (parentId != null && !byId.has(parentId)) wrong(`${id} comes before its parent`);
    byId.set(id, message);
    if (role === "user" && !known.questions.has(id)) wrong(`nobody has asked ${id}`);
    if (role !== "assistant") continue;
    const [first = ""] = wordsOf(textOf(message)).split(" ");
    if (first !== "" && texts.has(first)) wrong(`${id} and ${texts.get(first)} are the same answer`);
    texts.set(first, id);
  }
  for (const { id, parentId, content, files, isAcknowledged, regenerations } of known.questions.values()) {
    const stored = byId.get(id);
    if (!stored) {
      if (isAcknowledged) wrong(`the question ${id} was confirmed and is lost`);
      continue;
    }
    if (textOf(stored) !== content) wrong(`the question ${id} is «${textOf(stored)}»`);
    if ((stored.parentId ?? null) !== parentId) wrong(`the question ${id} hangs on ${stored.parentId}`);
    const sent = files.map((file) => file.id).join(" ");
    const kept = (stored.attachments ?? []).map((file) => file.id).join(" ");
    if (kept !== sent) wrong(`the question ${id} was sent with the files «${sent}» and has «${kept}»`);
    const count = answersTo(id, messages);
    if (count > 1 + regenerations) {
      wrong(`the question ${id} has ${count} answers, and was to be answered again ${regenerations} times`);
    }
  }
  for (const { id, end, text } of known.answers) {
    const stored = byId.get(id);
    if (!stored) wrong(`the answer ${id} was read to its end and is lost`);
    else if (end === "finish" && (stored.status?.type !== "complete" || wordsOf(textOf(stored)) !== wordsOf(text))) {
      wrong(`the answer ${id} was read as «${text}», and is ${JSON.stringify(stored.status)} «${textOf(stored)}»`);
    }
  }
}

export function answersTo(questionId: string, messages: readonly Message[]): number {
  return messages.filter(({ parentId, role }) => parentId === questionId && role === "assistant").length;
}

/** Only the model's words: if tools are unavailable the server adds its own sentence, and each step is a block. */
export function wordsOf(text: string): string {
  return (text.match(/q\d+x[\d.]+/g) ?? []).join(" ");
}
