import type { StreamEvent, Message, Part } from "@nitka/protocol";
import { CitationText } from "./citation-text.ts";
import type { FoundPassages } from "./search-site.ts";
import { SEARCH_SITE } from "../../knowledge.ts";
import { asData } from "../prompt/question-data.ts";

/**
 * The events of an answer with its citations: text after a search cites the passages in one form, and each passage is
 * sent as a source before the first text that cites it. All other events pass unchanged, and so does an answer without
 * searches.
 *
 * @example
 * // found:  1 (Доставка)
 * // events: text-delta "Два дня【1】, в Уфу три [7]."
 * // gives:  source-url 1 · text-delta "Два дня[1], в Уфу три."
 */
export async function* citing<End>(
  events: AsyncGenerator<StreamEvent, End, undefined>,
  found: FoundPassages,
  onUnsourced?: (n: number) => void,
): AsyncGenerator<StreamEvent, End, undefined> {
  const blocks = new Map<string | undefined, CitationText>();
  const sourced = new Set<number>();
  let sources: StreamEvent[] = [];

  const cites = (n: number, before: string): boolean => {
    const passage = found.passage(n);
    if (!passage) onUnsourced?.(n);
    if (!passage || sourced.has(n)) return passage !== undefined;
    sourced.add(n);
    const { title, heading, url, text } = passage;
    const nitka = { n, quote: quoteFor(text, before), ...(heading !== undefined && { heading }) };
    sources.push({ type: "source-url", sourceId: String(n), url, title, providerMetadata: { nitka } });
    return true;
  };
  const written = (id: string | undefined, delta: string): readonly StreamEvent[] => {
    const before = sources;
    sources = [];
    return delta === "" ? before : [...before, { type: "text-delta", id, delta }];
  };
  const flushed = () => [...blocks].flatMap(([id, block]) => written(id, block.flush()));

  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        yield* flushed();
        return value;
      }
      if (value.type === "text-start" && found.wasAsked) blocks.set(value.id, new CitationText(cites));
      const block = "id" in value ? blocks.get(value.id) : undefined;
      if (value.type === "text-delta" && block) {
        yield* written(value.id, block.push(value.delta));
        continue;
      }
      if (value.type === "text-end" && block) {
        yield* written(value.id, block.flush());
        blocks.delete(value.id);
      } else if (value.type.startsWith("tool-") || value.type === "finish-step") {
        yield* flushed();
      }
      yield value;
    }
  } catch (error) {
    yield* flushed();
    throw error;
  }
}

/** The most characters of a quote. */
const MAX_QUOTE_CHARS = 300;

/**
 * The sentence of a passage that supports a statement of the answer: the sentence that shares most with the statement.
 * Rare words count more than frequent ones, and numbers more than words. If nothing is shared, it is the first sentence
 * of the passage.
 *
 * @param before the answer's text before the citation
 *
 * @example
 * quoteFor("Везём по всей стране. Доставка по Уфе занимает два дня.", "В Уфу посылка придёт через два дня")
 * // "Доставка по Уфе занимает два дня."
 */
function quoteFor(passage: string, before: string): string {
  const sentences = sentencesOf(passage);
  const claim = wordsOf(sentencesOf(before).at(-1) ?? "");
  const words = sentences.map(wordsOf);
  const weightOf = (word: string) =>
    (/\d/.test(word) ? 3 : 1) / words.reduce((sum, each) => (each.has(word) ? sum + 1 : sum), 1);
  const scores = words.map((own) => [...own].reduce((sum, word) => (claim.has(word) ? sum + weightOf(word) : sum), 0));
  const best = Math.max(...scores);
  const quote = sentences[scores.indexOf(best)] ?? "";
  if (quote.length <= MAX_QUOTE_CHARS) return quote;
  const cut = quote.slice(0, MAX_QUOTE_CHARS);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_QUOTE_CHARS / 2)).toWellFormed();
}

const segmenter = new Intl.Segmenter("ru", { granularity: "sentence" });

/** The sentences of a text. Each line of a table or of code is a sentence of its own. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) =>
      Array.from(segmenter.segment(line), ({ segment }) => segment.trim()).filter((each) => /[\p{L}\p{N}]/u.test(each)),
    );
}

/** The beginnings of the words, which are the same in most forms of a word. */
function wordsOf(sentence: string): ReadonlySet<string> {
  const words =
    sentence
      .toLowerCase()
      .replaceAll("ё", "е")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 2 || /\d/.test(word)).map((word) => word.slice(0, 5)));
}

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
