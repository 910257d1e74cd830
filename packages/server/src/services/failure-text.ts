import type { FailureCode } from "@nitka/protocol";

/**
 * What an answer that stopped short says about it, by the code that goes with it. Our widget knows the codes and has its
 * own words; the sentences are for clients that know none, and are Russian as the product's first interface is.
 */
export const failureTexts = {
  failed: "Не получилось ответить: на сервере что-то сломалось. Попробуйте ещё раз.",
  empty: "Модель вернула пустой ответ. Попробуйте ещё раз.",
  silent: "Модель слишком долго молчит. Попробуйте ещё раз.",
  not_kept: "Не получилось сохранить ответ: база данных не отвечает. Попробуйте ещё раз через минуту.",
  interrupted: "Ответ прервался: сервер остановился. Попробуйте ещё раз.",
} as const satisfies Readonly<Partial<Record<FailureCode | "interrupted", string>>>;

/** A run's failure that the server itself has noticed. */
export function failure(code: Exclude<keyof typeof failureTexts, "interrupted">) {
  return { type: "failed", code, text: failureTexts[code] } as const;
}
