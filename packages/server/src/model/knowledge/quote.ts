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
export function quoteFor(passage: string, before: string): string {
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
