import type { Locale } from "./choose-locale.ts";

/** The texts of a chat's menu, and of what it copies and saves. They load with it, after the first view. */
const ru = {
  label: "Действия с\u00a0чатом",
  copy: "Скопировать переписку",
  copied: "Переписка скопирована.",
  download: "Скачать",
  downloaded: "Переписка сохранена в\u00a0файл.",
  failed: "Не\u00a0удалось загрузить переписку. Попробуйте ещё раз.",
  openPage: "Открыть на\u00a0отдельной странице",
  attachments: "Вложения",
  sources: "Источники",
};

export type ThreadMenuWords = typeof ru;

export const threadMenuWords: Readonly<Record<Locale, ThreadMenuWords>> = {
  ru,
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
