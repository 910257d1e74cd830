import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";

/**
 * Whether the server's own sentences in an answer are in Russian: true for a question with Cyrillic letters, or without
 * any letters.
 */
export function isRussian(question: Pick<Message, "content"> | undefined): boolean {
  const text = question ? textOf(question) : "";
  return /\p{Script=Cyrillic}/u.test(text) || !/\p{L}/u.test(text);
}
