import type { FailureCode } from "@nitka/protocol";
import { noAnswerTexts } from "../../no-answer-texts.ts";

/**
 * The error message of an incomplete answer, by its code. Our widget shows its own text for each code. These messages
 * are for other clients; they are in Russian, like the interface in the specification.
 */
export const runFailureTexts = {
  failed: "Не получилось ответить: на сервере что-то сломалось. Попробуйте ещё раз.",
  ...noAnswerTexts,
  not_kept: "Не получилось сохранить ответ: база данных не отвечает. Попробуйте ещё раз через минуту.",
  interrupted: "Ответ прервался: сервер остановился. Попробуйте ещё раз.",
} as const satisfies Readonly<Partial<Record<FailureCode | "interrupted", string>>>;

/** A failure that the server detects, rather than the model. */
export function runFailure(code: Exclude<keyof typeof runFailureTexts, "interrupted">) {
  return { type: "failed", code, text: runFailureTexts[code] } as const;
}
