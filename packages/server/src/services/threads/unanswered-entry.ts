/** Records the questions that the site's pages did not answer, for operators. */
import type { Message } from "@nitka/protocol";
import { partsOf, textOf } from "@nitka/protocol/message";
import { SEARCH_SITE } from "../../knowledge.ts";
import type { SiteSearch } from "../../knowledge.ts";
import type { NewUnanswered, UnansweredReason } from "../../storage/unanswered.ts";

/**
 * Why an answer counts as no answer, apart from its rating; `undefined` for one that cites a passage, has not searched,
 * or is incomplete.
 */
export function unansweredReason(answer: Message): Exclude<UnansweredReason, "disliked"> | undefined {
  const searches = searchesOf(answer);
  if (searches.length === 0 || answer.status?.type !== "complete") return undefined;
  if (searches.every(({ passages }) => passages.length === 0)) return "nothing_found";
  const isCited = partsOf(answer).some((part) => part.type === "source" && part.n !== undefined);
  return isCited ? undefined : "uncited";
}

/** The entry of an answer, with the passages that its searches have offered. */
export function unansweredEntry({ threadId, question, answer, at }: Answered, reason: UnansweredReason): NewUnanswered {
  const offered = searchesOf(answer).flatMap(({ passages }) => passages);
  const passages = new Map(offered.map(({ n, url, title }) => [n, { url, title }]));
  return {
    threadId,
    messageId: answer.id,
    question: textOf(question),
    reason,
    at,
    passages: [...passages.values()],
  };
}

interface Answered {
  readonly threadId: string;
  readonly question: Message;
  readonly answer: Message;
  /** ISO 8601. */
  readonly at: string;
}

/** The results of an answer's searches. Failed searches are left out: they say nothing about the pages. */
function searchesOf(answer: Message): readonly SiteSearch[] {
  return partsOf(answer).flatMap((part) => {
    if (part.type !== "tool-call" || part.toolName !== SEARCH_SITE || part.isError) return [];
    const { passages } = (part.result ?? {}) as Partial<SiteSearch>;
    return Array.isArray(passages) ? [{ passages }] : [];
  });
}
