import type { Message } from "@nitka/protocol";
import { answerOf, randomNumbers } from "./answer-text.ts";

/** A conversation of so many messages: questions of a line, answers mostly short, one in ten with code and tables. */
export function conversationOf(threadId: string, count: number): readonly Message[] {
  const random = randomNumbers(count);
  return Array.from({ length: count }, (_, index): Message => {
    const parentId = index === 0 ? null : `${threadId}-${index - 1}`;
    const last = index === count - 1 ? `\n\n${lastWords}` : "";
    const content = index % 2 === 0 ? `Вопрос ${index}: что дальше?` : answerOf(lengthOf(random()), index) + last;
    return { id: `${threadId}-${index}`, role: index % 2 === 0 ? "user" : "assistant", content, parentId };
  });
}

/** What the last message ends with. */
export const lastWords = "Здесь переписка кончается.";

function lengthOf(share: number): number {
  if (share < 0.6) return 160;
  return share < 0.9 ? 600 : 2000;
}
