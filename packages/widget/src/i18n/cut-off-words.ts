import type { Locale } from "./choose-locale.ts";

/** The texts below an answer that was cut off. They load with the first such answer, separately from the other words. */
const ru = {
  length: "Ответ обрезан: достигнут предел длины.",
  filtered: "Сервис остановил этот ответ.",
  continue: "Продолжить",
  /** The question that the button sends. */
  question: "Продолжи, пожалуйста.",
};

export type CutOffWords = typeof ru;

export const cutOffWords: Readonly<Record<Locale, CutOffWords>> = {
  ru,
  en: {
    length: "The answer was cut off: it reached the limit of its length.",
    filtered: "The service stopped this answer.",
    continue: "Continue",
    question: "Please continue.",
  },
};
