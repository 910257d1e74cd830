import type { Locale } from "./choose-locale.ts";

/** The texts of an answer's menu of models. They load after the messages. */
const ru = { regenerate: "Сгенерировать заново другой моделью" };

export type ModelWords = typeof ru;

export const modelWords: Readonly<Record<Locale, ModelWords>> = {
  ru,
  en: { regenerate: "Regenerate with another model" },
};
