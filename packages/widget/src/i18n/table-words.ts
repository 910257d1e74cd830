import type { Locale } from "./choose-locale.ts";

/** The texts of the buttons below a table. They load after the messages. */
export const tableWords: Readonly<
  Record<Locale, { readonly copy: string; readonly save: string; readonly name: string }>
> = {
  ru: { copy: "Копировать таблицу", save: "Скачать CSV", name: "таблица" },
  en: { copy: "Copy the table", save: "Download as CSV", name: "table" },
};
