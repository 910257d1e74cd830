import type { FailureCode } from "@nitka/protocol";
import type { Locale } from "./choose-locale.ts";

/**
 * The text for a failed answer, by its `status.code`. The texts load with the first such answer, separately from the other
 * words.
 */
export const failureCodeWords: Readonly<Record<Locale, Readonly<Record<FailureCode, string>>>> = {
  ru: {
    upstream_unavailable: "Ассистент сейчас недоступен. Попробуйте ещё раз позже.",
    upstream_limited: "Ассистент сейчас перегружен. Попробуйте ещё раз через минуту.",
    upstream_refused: "Ассистент не\u00a0смог принять этот запрос. Попробуйте сформулировать его иначе.",
    context_too_long: "Чат стал слишком длинным. Начните новый.",
    silent: "Ассистент слишком долго не\u00a0отвечает.",
    not_kept: "Не\u00a0удалось сохранить ответ.",
    empty: "Ответ оказался пустым.",
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
