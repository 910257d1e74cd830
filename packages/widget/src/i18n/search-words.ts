import type { Locale } from "./choose-locale.ts";
import { plural } from "./plural.ts";

/** The names of the texts of the search in the list. */
export interface SearchWords {
  readonly field: string;
  readonly clear: string;
  readonly results: string;
  readonly loading: string;
  readonly found: (count: number) => string;
  readonly none: string;
  readonly noneAdvice: string;
  readonly failed: string;
}

/** The texts of the search in the list. They load with its field, separately from the other words. */
export const searchWords: Readonly<Record<Locale, SearchWords>> = {
  ru: {
    field: "Поиск по\u00a0чатам",
    clear: "Очистить поиск",
    results: "Найденные чаты",
    loading: "Ищу…",
    found: (count) =>
      `${plural("ru", count, { one: "Найден", other: "Найдено" })} ${count}\u00a0${plural("ru", count, { one: "чат", few: "чата", other: "чатов" })}.`,
    none: "Ничего не\u00a0нашлось.",
    noneAdvice: "Попробуйте другое слово или его начало.",
    failed: "Не\u00a0удалось выполнить поиск.",
  },
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
