import type { Locale } from "./choose-locale.ts";

/** The names of the texts of the buttons below a table. */
export interface TableWords {
  readonly copy: string;
  readonly save: string;
  /** The name of the file. */
  readonly name: string;
}

/** The texts of the buttons below a table. They load after the messages. */
export const tableWords: Readonly<Record<Locale, TableWords>> = {
  ru: { copy: "Копировать таблицу", save: "Скачать CSV", name: "таблица" },
  en: { copy: "Copy the table", save: "Download as CSV", name: "table" },
};
