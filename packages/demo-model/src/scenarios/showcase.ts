import type { Beat } from "../beat.ts";
import { introduced, paragraphs, wording } from "../scenario.ts";
import type { Bilingual, Scenario } from "../scenario.ts";
import { WEATHER_TOOL } from "../weather-tool.ts";
import { DRAWING } from "./drawing.ts";
import { everyMarkdown } from "./showcase-texts.ts";

/** Every kind of part that an answer may have: reasoning, a tool call, markdown, an image, sources. */
export const showcase: Scenario = {
  matches: ({ plain }) =>
    /(покаж|давай|хочу).{0,20}все|все (и )?сразу|show (me )?(everything|all)|showcase/.test(plain),
  answer: (conversation) => {
    const { language, toolCall } = conversation;
    if (!toolCall) {
      return [
        { type: "think", text: wording(conversation, thoughts) },
        introduced(conversation, wording(conversation, openings)),
        { type: "call", toolName: WEATHER_TOOL, input: { city: places[language], days: 2, language } },
      ];
    }
    return [
      { type: "say", text: paragraphs(wording(conversation, afterTool), everyMarkdown[language]) },
      { type: "show", ...DRAWING },
      ...sources[language],
    ];
  },
  title: ({ language }) => (language === "ru" ? "Всё сразу" : "Everything at once"),
};

/** Answers with markdown only. */
export const markdown: Scenario = {
  matches: ({ plain }) => /markdown|маркдаун|разметк|форматирован|formatting/.test(plain),
  answer: (conversation) => [
    introduced(
      conversation,
      wording(conversation, {
        ru: ["Вот разметка, которую понимает этот чат.", "Показываю по порядку: текст, списки, таблица, цитаты, код."],
        en: ["Here is the markup that this chat understands.", "In order: text, lists, a table, quotes, code."],
      }),
      everyMarkdown[conversation.language],
    ),
  ],
  title: ({ language }) => (language === "ru" ? "Примеры разметки" : "Markdown samples"),
};

const places = { ru: "Сан-Франциско", en: "San Francisco" } as const;

const thoughts: Bilingual<readonly string[]> = {
  ru: [
    "Просят показать всё. Значит, по порядку: рассуждение уже видно, дальше вызов инструмента, потом разметка всех видов, картинка и источники.",
    "Показать всё ещё раз. Порядок прежний, слова другие: инструмент, разметка, картинка, источники. Рассуждение показывать отдельно не нужно, оно перед вами.",
  ],
  en: [
    "They want to see everything. In order, then: the reasoning is visible already, next a tool call, then markup of every kind, a picture and sources.",
    "Everything once more. The same order in other words: a tool, markup, a picture, sources. The reasoning is before your eyes.",
  ],
};

const openings: Bilingual<readonly string[]> = {
  ru: ["Начну с инструмента: спрошу вымышленную погоду.", "Сперва вызову инструмент, он ответит выдуманным прогнозом."],
  en: [
    "A tool first: I will ask for some fictional weather.",
    "First a tool, which will answer with an invented forecast.",
  ],
};

const afterTool: Bilingual<readonly string[]> = {
  ru: [
    "Инструмент ответил, его блок можно раскрыть. Теперь разметка.",
    "Готово, ответ инструмента лежит в блоке выше. Дальше разметка всех видов.",
  ],
  en: [
    "The tool has answered; its block unfolds. Now the markup.",
    "Done: the tool’s result is in the block above. Next, markup of every kind.",
  ],
};

const sources: Bilingual<readonly Beat[]> = {
  ru: [
    { type: "cite", url: "https://commonmark.org/help/", title: "CommonMark: справка по разметке" },
    { type: "cite", url: "https://github.github.com/gfm/", title: "GitHub Flavored Markdown" },
  ],
  en: [
    { type: "cite", url: "https://commonmark.org/help/", title: "CommonMark: the syntax" },
    { type: "cite", url: "https://github.github.com/gfm/", title: "GitHub Flavored Markdown" },
  ],
};
