import type { Locale } from "./choose-locale.ts";

/** The texts of the buttons below a table. They load after the messages. */
const ru = {
  copy: "Копировать таблицу",
  save: "Скачать CSV",
  /** The name of the file. */
  name: "таблица",
};

export type TableWords = typeof ru;

export const tableWords: Readonly<Record<Locale, TableWords>> = {
  ru,
  en: { copy: "Copy the table", save: "Download as CSV", name: "table" },
};
