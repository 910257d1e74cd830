import type { Locale } from "./choose-locale.ts";

/** The names of the texts of an answer's menu of models. */
export interface ModelWords {
  readonly regenerate: string;
}

/** The texts load after the messages. */
export const modelWords: Readonly<Record<Locale, ModelWords>> = {
  ru: { regenerate: "Сгенерировать заново другой моделью" },
  en: { regenerate: "Regenerate with another model" },
};
