import type { Locale } from "./choose-locale.ts";

/**
 * The texts of the offer to turn a long paste into a file. They load with the first long paste, separately from the other
 * words.
 */
const ru = {
  asFile: "Вставить файлом",
  /** The name of the file. */
  name: "Вставленный текст",
};

export type PasteWords = typeof ru;

export const pasteWords: Readonly<Record<Locale, PasteWords>> = {
  ru,
  en: { asFile: "Paste as a file", name: "Pasted text" },
};
