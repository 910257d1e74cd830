/** The Russian texts use one typography. A test finds what the eye misses. */
import { expect, test } from "vitest";
import { approvalWords } from "./approval-words.ts";
import { citationWords } from "./citation-words.ts";
import { cutOffWords } from "./cut-off-words.ts";
import { failureCodeWords } from "./failure-code-words.ts";
import { feedbackWords } from "./feedback-words.ts";
import { ru } from "./locales/ru.ts";
import { modelWords } from "./model-words.ts";
import { pasteWords } from "./paste-words.ts";
import { restoreWords } from "./restore-words.ts";
import { searchWords } from "./search-words.ts";
import { tableWords } from "./table-words.ts";
import { voiceWords } from "./voice-words.ts";

/** Exact texts that others depend on: those of the specification, and names by which a host's tests find a control. */
const quoted: ReadonlySet<string> = new Set([
  ru.composer.agree,
  ru.composer.notice,
  ru.composer.placeholder,
  ru.message.copyFailed,
  ru.thread.greetingSubtitle,
  ru.thread.suggestWeather,
  ru.thread.suggestEssay,
]);

/** All texts, with one example of each text that depends on parameters. */
function textsOf(words: object): readonly string[] {
  return Object.values(words).flatMap((word: unknown) => {
    if (typeof word === "string") return [word];
    if (typeof word === "function") return [String((word as (...given: readonly unknown[]) => unknown)("3", 3))];
    return textsOf(word as object);
  });
}

const groups = [
  approvalWords,
  citationWords,
  cutOffWords,
  failureCodeWords,
  feedbackWords,
  modelWords,
  pasteWords,
  restoreWords,
  searchWords,
  tableWords,
  voiceWords,
];
const texts = [ru, ...groups.map((group) => group.ru)].flatMap(textsOf).filter((text) => !quoted.has(text));

test.each([
  ["no short word ends a line", /(?<![\p{L}-])(?:а|без|в|во|для|до|за|и|из|к|на|не|ни|о|об|от|по|с|со|у) (?=\p{L})/iu],
  ["a dash stands between spaces, and is no hyphen", / - | – |\S—|—\S/u],
  ["quotation marks are «these»", /["“”„]/u],
  ["an ellipsis is one sign", /\.\.\./u],
  ["«ё» is not «е»", /(?<!\p{L})(?:еще|ее|идет|придет|пришел|удален|нее|свое|свернут)(?!\p{L})/iu],
  ["the visitor is «вы»", /(?<!\p{L})(?:ты|тебе|твой|твои|тебя)(?!\p{L})/iu],
] as const)("%s", (_, wrong) => {
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => wrong.test(text))).toEqual([]);
});
