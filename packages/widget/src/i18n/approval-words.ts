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

/** The texts for tool calls that wait for the visitor. They load with the first such call, separately from the other words. */
export const approvalWords: Readonly<Record<Locale, ApprovalWords>> = {
  ru: {
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
