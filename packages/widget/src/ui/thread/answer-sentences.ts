import type { Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import type { AnswerSentences } from "../voice/reading-state.ts";
import { createSentences } from "./sentences.ts";
import type { NamedMarks } from "./sentences.ts";

/** The sentences of an answer's texts while it grows. A part is complete when another one follows it. */
export function createAnswerSentences(names?: NamedMarks): AnswerSentences {
  const sentences = createSentences(names);
  let partIndex = 0;
  /** The number of characters of that part that have been processed. */
  let partLength = 0;
  return {
    take(answer) {
      const parts: readonly Part[] = answer ? partsOf(answer) : [];
      const taken: string[] = [];
      for (; partIndex < parts.length; partIndex += 1, partLength = 0) {
        const part = parts[partIndex];
        const isLast = partIndex === parts.length - 1;
        if (part?.type === "text") {
          if (part.text.length > partLength) taken.push(...sentences.push(part.text.slice(partLength)));
          partLength = part.text.length;
          if (!isLast) taken.push(...sentences.flush());
        }
        if (isLast) break;
      }
      return taken;
    },
    flush: sentences.flush,
  };
}
