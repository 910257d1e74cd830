/** What an answer that stopped short says about it. It stands in the conversation, where the words are Russian. */
export const failureTexts = {
  failed: "Не получилось ответить: на сервере что-то сломалось. Попробуйте ещё раз.",
  empty: "Модель вернула пустой ответ. Попробуйте ещё раз.",
  silent: "Модель слишком долго молчит. Попробуйте ещё раз.",
  notKept: "Не получилось сохранить ответ: база данных не отвечает. Попробуйте ещё раз через минуту.",
  interrupted: "Ответ прервался: сервер остановился. Попробуйте ещё раз.",
} as const;
