import type { Locale } from "./choose-locale.ts";

/** The texts for tool calls that wait for the visitor. They load with the first such call, separately from the other words. */
const ru = {
  required: "Нужно ваше разрешение",
  allow: "Разрешить",
  deny: "Отклонить",
  waiting: "ждёт разрешения",
  allowed: "разрешено",
  denied: "отклонено",
  elsewhere: "выполняется в\u00a0другой вкладке",
  activity: "Жду вашего решения",
  failed: "Не\u00a0удалось отправить решение.",
  yes: "да",
  no: "нет",
  showAll: "Показать все",
};

export type ApprovalWords = typeof ru;

export const approvalWords: Readonly<Record<Locale, ApprovalWords>> = {
  ru,
  en: {
    required: "Permission required",
    allow: "Allow",
    deny: "Deny",
    waiting: "waits for permission",
    allowed: "allowed",
    denied: "denied",
    elsewhere: "runs in another page",
    activity: "Waiting for your decision",
    failed: "Your decision could not be sent.",
    yes: "yes",
    no: "no",
    showAll: "Show all",
  },
};
