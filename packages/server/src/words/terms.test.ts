import { expect, it } from "vitest";
import { inLatin, keysOf, rootOf, stem, synonymsOf, termsOf } from "./terms.ts";

/** The meaningful words, and the stop words in brackets. */
const read = (text: string) => termsOf(text).map(({ key, isStopWord }) => (isStopWord ? `(${key})` : key));

it.each([
  ["Вернуть товары", "вернут товар"],
  ["Ещё нашёл", "(ещ) нашел"],
  ["returned parcels", "return parcel"],
  ["FileExists и --no-fonts", "fileexists file exist (и) no-fonts (no) font"],
  ["версия 2.5", "верс 2.5 2 5"],
  ["What's the customer’s order?", "(what) (the) custom order"],
  ["I don't know, can’t you?", "(i) (not) know (not) (you)"],
  ["We've said they're late; I'd wait", "(we) said (thei) late (i) wait"],
  ["Whats wrong, I dont know", "(what) wrong (i) (dont) know"],
  ["п'ять o'clock", "п'ять п ят o'clock o clock"],
])("the words of «%s» are %s", (text, words) => {
  expect(read(text).join(" ")).toBe(words);
});

it("both apostrophes are read alike, and a word with an ending after one as the word", () => {
  expect(keysOf("what's Anna’s")).toEqual(keysOf("what’s Anna's"));
  expect(keysOf("Anna's")).toEqual(keysOf("Anna"));
});

it("transliterates Cyrillic into Latin letters by sound", () => {
  expect(["тотал", "докер", "щит", "docker"].map(inLatin)).toEqual(["total", "doker", "schit", "docker"]);
});

it.each([
  "удалить удаляет удаление удалённый",
  "указать укажу указывать указанный указатель",
  "включить включение включаем",
  "отправить отправлю отправка отправление",
])("gives one root to %s", (words) => {
  const roots = words.split(" ").map((word) => rootOf(keysOf(word)[0] ?? ""));
  expect(new Set(roots).size).toBe(1);
});

it("short and foreign stems have different roots", () => {
  expect(["файл", "фары", "copi", "copier"].map(rootOf)).toEqual(["файл", "фары", "copi", "copier"]);
});

it("synonymsOf returns words of the same meaning for each other, in any form", () => {
  expect(synonymsOf(stem("удаляю"))).toContain(stem("стереть"));
  expect(synonymsOf(stem("erased"))).toContain(stem("deleting"));
  expect(synonymsOf(stem("квант"))).toEqual(new Set());
});
