import type { Locale } from "./choose-locale.ts";

/** The names of the texts of a chat's menu, and of what it copies and saves. */
export interface ThreadMenuWords {
  readonly label: string;
  readonly copy: string;
  readonly copied: string;
  readonly download: string;
  readonly downloaded: string;
  readonly failed: string;
  readonly openPage: string;
  readonly attachments: string;
  readonly sources: string;
}

/** The texts of a chat's menu. They load with it, after the first view. */
export const threadMenuWords: Readonly<Record<Locale, ThreadMenuWords>> = {
  ru: {
    label: "Действия с\u00a0чатом",
    copy: "Скопировать переписку",
    copied: "Переписка скопирована.",
    download: "Скачать",
    downloaded: "Переписка сохранена в\u00a0файл.",
    failed: "Не\u00a0удалось загрузить переписку. Попробуйте ещё раз.",
    openPage: "Открыть на\u00a0отдельной странице",
    attachments: "Вложения",
    sources: "Источники",
  },
  en: {
    label: "Chat actions",
    copy: "Copy the conversation",
    copied: "The conversation is copied.",
    download: "Download",
    downloaded: "The conversation is saved to a file.",
    failed: "The conversation could not be loaded. Please try again.",
    openPage: "Open on its own page",
    attachments: "Attachments",
    sources: "Sources",
  },
};
