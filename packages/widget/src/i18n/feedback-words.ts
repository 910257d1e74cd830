import type { Locale } from "./choose-locale.ts";

/** The texts around ratings. They load with the first answer that can be rated, separately from the other words. */
const ru = {
  good: "Хороший ответ",
  bad: "Плохой ответ",
  reason: "Что не\u00a0так?",
  send: "Отправить",
  thanks: "Спасибо!",
  failed: "Не\u00a0удалось сохранить оценку.",
  reasonFailed: "Отзыв не\u00a0отправлен, текст сохранён.",
};

export type FeedbackWords = typeof ru;

export const feedbackWords: Readonly<Record<Locale, FeedbackWords>> = {
  ru,
  en: {
    good: "Good answer",
    bad: "Bad answer",
    reason: "What is wrong?",
    send: "Send",
    thanks: "Thank you!",
    failed: "Your rating could not be saved.",
    reasonFailed: "Your comment was not sent; its text is kept.",
  },
};
