import type { Locale } from "./choose-locale.ts";

/** The name of the menu that regenerates an answer with another model. It loads after the messages. */
export const modelWords: Readonly<Record<Locale, string>> = {
  ru: "Сгенерировать заново другой моделью",
  en: "Regenerate with another model",
};
