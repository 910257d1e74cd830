import { ModelError } from "@nitka/server/model-kit";
import type { Conversation } from "../conversation.ts";
import { introduced, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** Fails on request after a few words, to show what a failed answer looks like. */
export const failure: Scenario = {
  matches: ({ plain }) =>
    /(покаж|вызов|вызва|сдела|выда|верн|продемонстр|симулир|хочу|увидеть).{0,24}(ошибк|сбой)|^(ошибк|сбой)/.test(
      plain,
    ) || /(show|raise|throw|simulate|return|give|see).{0,24}(error|failure)|^(error|fail)/.test(plain),
  answer: (conversation) => [
    introduced(
      conversation,
      wording(conversation, {
        ru: [
          "Хорошо, покажу. Представьте, что на середине ответа у сервиса модели пропала связь: текст, который успел прийти, останется на месте, а под ним появится",
          "Показываю ещё раз. Ответ дойдёт до этого слова и оборвётся, а сказанное никуда не денется, и рядом будет предложение",
        ],
        en: [
          "All right. Imagine that the model’s service loses its connection halfway: the text that has arrived stays, and below it there will be",
          "Once more, then. The answer gets as far as this and breaks off; what has been said stays, and next to it there is an offer",
        ],
      }),
    ),
    { type: "fail", error: errorFor(conversation) },
  ],
  title: ({ language }) => (language === "ru" ? "Ошибка по просьбе" : "An error on request"),
};

function errorFor({ plain, language }: Conversation): ModelError {
  const code = plain.includes("429") ? "upstream_limited" : plain.includes("401") ? "upstream_refused" : "failed";
  return new ModelError(code, sentences[language][code], {
    cause: new Error("The visitor asked the demo model for an error"),
  });
}

const sentences = {
  ru: {
    upstream_limited:
      "Учебная ошибка: будто бы к модели слишком много запросов. Нажмите «Повторить» или спросите о другом.",
    upstream_refused:
      "Учебная ошибка: будто бы сервис модели не принял ключ. Нажмите «Повторить» или спросите о другом.",
    failed:
      "Учебная ошибка: вы попросили её показать, с чатом всё в порядке. Нажмите «Повторить» или спросите о другом.",
  },
  en: {
    upstream_limited: "A practice error: as if the model had too many requests. Retry, or ask something else.",
    upstream_refused: "A practice error: as if the model’s service had refused the key. Retry, or ask something else.",
    failed: "A practice error: you asked to see one, and nothing is wrong with the chat. Retry, or ask something else.",
  },
} as const;
