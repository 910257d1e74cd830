import type { Locale } from "./choose-locale.ts";

/** The names of the texts of the offer to turn a long paste into a file. */
export interface PasteWords {
  readonly asFile: string;
  /** The name of the file. */
  readonly name: string;
}

/** The texts of that offer. They load with the first long paste, separately from the other words. */
export const pasteWords: Readonly<Record<Locale, PasteWords>> = {
  ru: { asFile: "Вставить файлом", name: "Вставленный текст" },
  en: { asFile: "Paste as a file", name: "Pasted text" },
};
