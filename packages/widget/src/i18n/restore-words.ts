import type { Locale } from "./choose-locale.ts";

/** The texts in the place of a deleted chat. They load with the first deletion, separately from the other words. */
const ru = {
  removed: "Чат удалён",
  restore: "Вернуть",
  restored: "Чат вернулся в\u00a0список.",
  failed: "Не\u00a0удалось вернуть чат.",
};

export type RestoreWords = typeof ru;

export const restoreWords: Readonly<Record<Locale, RestoreWords>> = {
  ru,
  en: {
    removed: "Chat deleted",
    restore: "Undo",
    restored: "The chat is back in the list.",
    failed: "The chat could not be brought back.",
  },
};
