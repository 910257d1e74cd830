/**
 * The sentences for a model that gives no answer, which its adapter notices or the run itself. They are in Russian, as the
 * specification's interface is.
 */
export const noAnswerTexts = {
  empty: "Модель вернула пустой ответ. Попробуйте ещё раз.",
  silent: "Модель слишком долго молчит. Попробуйте ещё раз.",
} as const;
