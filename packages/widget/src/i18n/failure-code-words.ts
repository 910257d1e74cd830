import type { FailureCode } from "@nitka/protocol";
import type { Locale } from "./choose-locale.ts";

/** The text for an answer that failed, by its `status.code`. They load with the first such answer, apart from the other words. */
export const failureCodeWords: Readonly<Record<Locale, Readonly<Record<FailureCode, string>>>> = {
  ru: {
    upstream_unavailable: "Сервис модели сейчас недоступен.",
    upstream_limited: "Сервис модели сейчас перегружен.",
    upstream_refused: "Сервис модели отклонил запрос.",
    context_too_long: "Разговор слишком длинный. Начните новый чат.",
    silent: "Модель слишком долго молчит.",
    not_kept: "Не\u00a0удалось сохранить ответ.",
    empty: "Модель ничего не\u00a0ответила.",
    failed: "Не\u00a0удалось получить ответ.",
  },
  en: {
    upstream_unavailable: "The model's service is unavailable now.",
    upstream_limited: "The model's service is overloaded now.",
    upstream_refused: "The model's service refused the request.",
    context_too_long: "The conversation is too long. Start a new chat.",
    silent: "The model has kept silent for too long.",
    not_kept: "The answer could not be saved.",
    empty: "The model answered nothing.",
    failed: "There was no answer.",
  },
};
