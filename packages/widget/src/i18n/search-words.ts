import type { Locale } from "./choose-locale.ts";
import { plural } from "./plural.ts";

/** The texts of the search in the list. They load with its field, separately from the other words. */
const ru = {
  field: "Поиск по\u00a0чатам",
  clear: "Очистить поиск",
  results: "Найденные чаты",
  loading: "Ищу…",
  found: (count: number) =>
    `${plural("ru", count, { one: "Найден", other: "Найдено" })} ${count}\u00a0${plural("ru", count, { one: "чат", few: "чата", other: "чатов" })}.`,
  none: "Ничего не\u00a0нашлось.",
  noneAdvice: "Попробуйте другое слово или его начало.",
  failed: "Не\u00a0удалось выполнить поиск.",
};

export type SearchWords = typeof ru;

export const searchWords: Readonly<Record<Locale, SearchWords>> = {
  ru,
  en: {
    field: "Search chats",
    clear: "Clear the search",
    results: "Chats found",
    loading: "Searching…",
    found: (count) => `${count} ${plural("en", count, { one: "chat", other: "chats" })} found.`,
    none: "Nothing found.",
    noneAdvice: "Try another word, or the beginning of one.",
    failed: "The search did not work.",
  },
};
