import type { Locale } from "./choose-locale.ts";

/** The names of the texts of a long paste. */
export interface PasteWords {
  readonly asFile: string;
  /** The name of the file. */
  readonly name: string;
}

/** The texts of a long paste. They load with the first one, apart from the other words. */
export const pasteWords: Readonly<Record<Locale, PasteWords>> = {
  ru: { asFile: "Вставить файлом", name: "Вставленный текст" },
  en: { asFile: "Paste as a file", name: "Pasted text" },
};
