import { parseTitle } from "@nitka/server/model-kit";
import type { Conversation } from "../conversation.ts";
import { paragraphs, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { invitation, quote } from "./small-talk.ts";

/** For questions without a prepared answer: says so, repeats the question and suggests other questions. */
export const fallback: Scenario = {
  matches: () => true,
  answer: (conversation) => [
    { type: "think", text: thought(conversation) },
    { type: "say", text: conversation.isFirst ? first(conversation) : later(conversation) },
  ],
  title: ({ question, language }) => {
    const title = parseTitle(question.split(/\s+/).slice(0, 5).join(" "));
    return title ?? (language === "ru" ? "Разговор с демо" : "A talk with the demo");
  },
};

function thought(conversation: Conversation): string {
  return wording(conversation, {
    ru: [
      "Заготовки на такой вопрос у меня нет. Притворяться, что понимаю, не стоит: скажу честно, повторю вопрос, чтобы было видно, что он дошёл, и предложу то, что умею.",
      "Спросили о том, чего я не знаю. Отвечу коротко и покажу, что помню разговор.",
    ],
    en: [
      "I have nothing prepared for this. No use pretending to understand: I will say so, repeat the question to show that it arrived, and offer what I can do.",
      "They ask about something I do not know. A short answer, and proof that I remember the conversation.",
    ],
  });
}

function first(conversation: Conversation): string {
  const asked = quote(conversation.question, conversation.language === "ru");
  return paragraphs(
    wording(conversation, {
      ru: [
        `Ваш вопрос дошёл: ${asked}. Ответить на него по существу не смогу: за этим окном пока **демонстрационная модель**, у неё нет ни знаний, ни сети. Зато всё вокруг настоящее: сообщение сохранил сервер, ответ идёт потоком, чат останется в списке.`,
        `${asked} — хороший вопрос, но не для меня. Отвечает **демо-модель** Nitka: она знает несколько заготовленных тем и честно признаётся, когда тема чужая. Эта чужая.`,
      ],
      en: [
        `Your question has arrived: ${asked}. I cannot really answer it: behind this window there is a **demo model** for now, with neither knowledge nor network. Everything around it is real, though: the server has stored your message, the answer streams, and the chat stays in the list.`,
        `${asked} is a good question, but not for me. This is Nitka’s **demo model**: it knows a few prepared subjects and admits it when a subject is not among them.`,
      ],
    }),
    invitation(conversation),
    conversation.language === "ru"
      ? "Настоящую модель подключают тремя переменными:\n\n```bash\nOPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=… NITKA_MODEL=… npm start\n```"
      : "Three variables connect a real one:\n\n```bash\nOPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=… NITKA_MODEL=… npm start\n```",
  );
}

function later(conversation: Conversation): string {
  const { earlier, visitorName, language } = conversation;
  const ru = language === "ru";
  const asked = quote(conversation.question, ru);
  const before = quote(earlier.at(-1) ?? "", ru);
  const number = earlier.length + 1;
  const name = visitorName?.name;
  return paragraphs(
    wording(conversation, {
      ru: [
        `${name ? `${name}, на` : "На"} ${asked} у меня заготовки нет. Но нить разговора держу: это ваше сообщение № ${number}, а перед ним было ${before}.`,
        `Про ${asked} ничего не знаю, врать не буду${name ? `, ${name}` : ""}. Помню другое: до этого вы написали ${before}, а всего сообщений уже ${number}.`,
      ],
      en: [
        `${name ? `${name}, I` : "I"} have nothing prepared for ${asked}. I do follow the conversation, though: this is your message number ${number}, and before it came ${before}.`,
        `I know nothing about ${asked} and will not make it up${name ? `, ${name}` : ""}. What I do remember: you wrote ${before} before, and ${number} messages in all.`,
      ],
    }),
    wording(conversation, {
      ru: [
        "Могу вызвать инструмент («Погода в Токио»), показать таблицу или код, пересказать наш разговор («О чём мы говорили?»).",
        "Зато хорошо получаются погода, эссе о чатах, таблицы, код и счёт до ста.",
      ],
      en: [
        "I can call a tool (“Weather in Tokyo”), show a table or code, or sum up our talk (“What did we talk about?”).",
        "I am better at weather, essays on chat, tables, code and counting to a hundred.",
      ],
    }),
  );
}
