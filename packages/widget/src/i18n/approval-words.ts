import type { Locale } from "./choose-locale.ts";

/** The names of the texts for tool calls that wait for the visitor. */
export interface ApprovalWords {
  readonly required: string;
  readonly allow: string;
  readonly deny: string;
  readonly waiting: string;
  readonly allowed: string;
  readonly denied: string;
  readonly elsewhere: string;
  readonly activity: string;
  readonly failed: string;
  readonly yes: string;
  readonly no: string;
  readonly showAll: string;
}

/** The texts for tool calls that wait for the visitor. They load with the first one, apart from the other words. */
export const approvalWords: Readonly<Record<Locale, ApprovalWords>> = {
  ru: {
    required: "Требуется разрешение",
    allow: "Разрешить",
    deny: "Отклонить",
    waiting: "ждёт разрешения",
    allowed: "разрешено",
    denied: "отклонено",
    elsewhere: "выполняется на\u00a0другой странице",
    activity: "Ждёт вашего решения",
    failed: "Решение не\u00a0удалось отправить.",
    yes: "да",
    no: "нет",
    showAll: "Показать все",
  },
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
