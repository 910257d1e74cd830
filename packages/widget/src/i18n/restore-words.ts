import type { Locale } from "./choose-locale.ts";

/** The names of the texts in the place of a deleted chat. */
export interface RestoreWords {
  readonly removed: string;
  readonly restore: string;
  readonly restored: string;
  readonly failed: string;
}

/** The texts in the place of a deleted chat. They load with the first deletion, separately from the other words. */
export const restoreWords: Readonly<Record<Locale, RestoreWords>> = {
  ru: {
    removed: "Чат удалён",
    restore: "Вернуть",
    restored: "Чат вернулся в\u00a0список.",
    failed: "Не\u00a0удалось вернуть чат.",
  },
  en: {
    removed: "Chat deleted",
    restore: "Undo",
    restored: "The chat is back in the list.",
    failed: "The chat could not be brought back.",
  },
};
