import type { Locale } from "./choose-locale.ts";

/** The names of the texts below an answer that was cut off. */
export interface CutOffWords {
  readonly length: string;
  readonly filtered: string;
  readonly continue: string;
  /** The question that the button sends. */
  readonly question: string;
}

/** The texts below an answer that was cut off. They load with the first such answer, separately from the other words. */
export const cutOffWords: Readonly<Record<Locale, CutOffWords>> = {
  ru: {
    length: "Ответ обрезан: достигнут предел длины.",
    filtered: "Сервис остановил этот ответ.",
    continue: "Продолжить",
    question: "Продолжи, пожалуйста.",
  },
  en: {
    length: "The answer was cut off: it reached the limit of its length.",
    filtered: "The service stopped this answer.",
    continue: "Continue",
    question: "Please continue.",
  },
};
