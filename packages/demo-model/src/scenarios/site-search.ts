import type { Beat } from "../beat.ts";
import type { Conversation, EndedCall } from "../conversation.ts";
import { introduced, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { fallback } from "./fallback.ts";
import { invitation } from "./small-talk.ts";

/** The server's tool for a project with knowledge. */
export const SEARCH_SITE = "search_site";

/** A passage of the site, as the tool returns it. */
interface Found {
  readonly n: number;
  readonly title: string;
  readonly text: string;
}

/**
 * Questions that no other scenario matches, when the site can be searched: answers with the sentences that fit best,
 * and cites them.
 */
export const siteSearch: Scenario = {
  matches: ({ tools }) => tools.has(SEARCH_SITE),
  answer: (conversation) => {
    const { toolCall, question } = conversation;
    if (toolCall?.toolName === SEARCH_SITE) return [say(conversation, toolCall)];
    const thought = wording(conversation, {
      ru: ["Заготовки на это нет, зато у сайта есть страницы: поищу на них."],
      en: ["Nothing is prepared for this, but the site has pages: I will search them."],
    });
    return [
      { type: "think", text: thought },
      { type: "call", toolName: SEARCH_SITE, input: { query: question } },
    ];
  },
  title: fallback.title,
};

function say(conversation: Conversation, { outcome }: EndedCall): Beat {
  const sentences = outcome.type === "returned" ? answersIn(passagesOf(outcome.output), conversation.plain) : [];
  const opening = wording(conversation, {
    ru: ["Вот что об этом сказано на сайте:", "На страницах сайта нашлось вот что:"],
    en: ["This is what the site says about it:", "The pages of the site have this:"],
  });
  const unknown = wording(conversation, {
    ru: ["Не знаю: на страницах сайта я ответа не вижу.", "Этого я не знаю. На сайте ответа не нашлось."],
    en: ["I do not know: I see no answer on the pages of this site.", "I do not know that. The site has no answer."],
  });
  const told = sentences.length === 0 ? [unknown, invitation(conversation)] : [`${opening} ${sentences.join(" ")}`];
  return introduced(conversation, ...told);
}

function passagesOf(output: unknown): readonly Found[] {
  if (typeof output !== "string") return [];
  try {
    return (JSON.parse(output) as { readonly passages: readonly Found[] }).passages;
  } catch {
    // The result was truncated.
    return [];
  }
}

/** The sentences that share the most words with the question, best first, each with the number of its passage. */
function answersIn(passages: readonly Found[], question: string): readonly string[] {
  const asked = wordsOf(question);
  const sentences = passages.flatMap(({ n, title, text }, place) => {
    const inTitle = shared(wordsOf(title), asked);
    return sentencesOf(text).map((sentence) => ({
      sentence,
      n,
      // The search returns the best passage first.
      score: 2 * shared(wordsOf(sentence), asked) + inTitle + (place === 0 ? 2 : 1 / (place + 1)),
    }));
  });
  return sentences
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 3)
    .filter(({ score }, place) => place === 0 || score >= 3)
    .map(({ sentence, n }) => {
      const end = /[.!?…]$/.exec(sentence)?.[0] ?? "";
      const words = sentence.slice(0, sentence.length - end.length);
      return `${words.replaceAll(/[<>*_`~|[\]\\]/g, String.raw`\$&`)} [${n}]${end}`;
    });
}

function sentencesOf(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter("ru", { granularity: "sentence" });
  return text
    .split("\n")
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => /\p{L}{3}/u.test(sentence) && sentence.length <= 400);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll("ё", "е")
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.map((word) => word.slice(0, 5)));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}
