import type { Locale } from "./choose-locale.ts";

/** The texts of a long paste. They load with the first one, apart from the other words. */
export const pasteWords: Readonly<Record<Locale, { readonly asFile: string; readonly name: string }>> = {
  ru: { asFile: "Вставить файлом", name: "Вставленный текст" },
  en: { asFile: "Paste as a file", name: "Pasted text" },
};
