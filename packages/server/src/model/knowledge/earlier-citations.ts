import type { Message, Part } from "@nitka/protocol";
import { SEARCH_SITE } from "../../knowledge.ts";
import { asData } from "../prompt/question-data.ts";
import { CitationText } from "./citation-text.ts";

/**
 * A message for the model. An earlier answer loses its citation numbers, in its text and in the results of its
 * searches: each answer counts from 1, so the number of an earlier passage would cite another one. The found passages
 * stay, as data.
 */
export function withoutCitations(message: Message): Message {
  const { role, content } = message;
  if (role !== "assistant" || typeof content === "string") return message;
  if (!content.some((part) => part.type === "tool-call" && part.toolName === SEARCH_SITE)) return message;
  const told = content.map((part): Part => {
    if (part.type === "text") {
      const text = new CitationText(() => false);
      return { type: part.type, text: text.push(part.text) + text.flush() };
    }
    const isSearch = part.type === "tool-call" && part.toolName === SEARCH_SITE && !part.isError && part.result;
    return isSearch ? Object.assign({}, part, { result: asData(part.result, withoutNumber) }) : part;
  });
  return { ...message, content: told };
}

function withoutNumber(key: string, value: unknown): unknown {
  return key === "n" ? undefined : value;
}
