/**
 * The messages for a model that gives no answer. The model's adapter or the run detects this. They are in Russian, like
 * the interface in the specification.
 */
export const noAnswerTexts = {
  empty: "Модель вернула пустой ответ. Попробуйте ещё раз.",
  silent: "Модель слишком долго молчит. Попробуйте ещё раз.",
} as const;
