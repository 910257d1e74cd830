/** @type {Readonly<Record<string, string>>} */
export const statusNames = {
  complete: "Готов",
  running: "Пишется",
  cancelled: "Остановлен",
  error: "Ошибка",
  interrupted: "Прерван",
  length: "Обрезан",
  "content-filter": "Остановлен сервисом",
};

/** @type {Readonly<Record<string, string>>} */
export const ratingNames = { up: "Хорошо", down: "Плохо" };

/**
 * The name of a run's status.
 *
 * @param {{ readonly type: string, readonly reason?: string }} status
 */
export function statusOf({ type, reason = "error" }) {
  return type === "incomplete" ? reason : type;
}
