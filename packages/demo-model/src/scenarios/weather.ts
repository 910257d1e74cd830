import type { Beat } from "../beat.ts";
import { placeIn } from "../cities.ts";
import type { Place } from "../cities.ts";
import { plainText } from "../conversation.ts";
import type { Conversation } from "../conversation.ts";
import { introduction, paragraphs, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { WEATHER_TOOL } from "../weather-tool.ts";
import type { Forecast, ForecastDay } from "../weather-tool.ts";

/** Calls the weather tool, then describes its result. */
export const weather: Scenario = {
  matches: (conversation) => asksWeather(conversation.plain) || goesOn(conversation),
  answer: (conversation) => {
    const { toolCall } = conversation;
    const place = placeIn(conversation.question, conversation.language);
    if (!place) return [{ type: "say", text: askForCity(conversation) }];
    if (!toolCall) return looked(conversation, place);
    const { outcome } = toolCall;
    return outcome.type === "returned"
      ? told(conversation, place, outcome.output as Forecast)
      : [{ type: "say", text: untold(conversation, place, outcome.type) }];
  },
  title: ({ question, language }) => {
    const place = placeIn(question, language);
    if (language === "ru") return place ? `Погода ${place.inCity}` : "Погода";
    return place ? `Weather ${place.inCity}` : "Weather";
  },
};

function asksWeather(plain: string): boolean {
  return /погод|прогноз|температур|зонт|weather|forecast|temperature|umbrella/.test(plain);
}

/** Whether a question such as «А в Токио?» follows one about the weather. */
function goesOn({ question, earlier, language }: Conversation): boolean {
  const before = earlier.at(-1);
  return (
    before !== undefined &&
    question.length < 40 &&
    asksWeather(plainText(before)) &&
    placeIn(question, language) !== undefined
  );
}

function askForCity(conversation: Conversation): string {
  return paragraphs(
    introduction(conversation),
    wording(conversation, {
      ru: [
        "О каком городе речь? Напишите, например, «Какая погода в Казани?», и я спрошу у инструмента `get_weather`.",
        "Назовите город, и я вызову `get_weather`: скажем, «Погода в Лиссабоне».",
      ],
      en: [
        "Which city do you mean? Try “What is the weather in Lisbon?”, and I will ask the `get_weather` tool.",
        "Name a city, say “Weather in Oslo”, and I will call `get_weather`.",
      ],
    }),
  );
}

function looked(conversation: Conversation, { city, inCity }: Place): readonly Beat[] {
  const { language } = conversation;
  return [
    {
      type: "think",
      text: wording(conversation, {
        ru: [
          `Спрашивают о погоде ${inCity}. Настоящих данных у меня нет и взять их неоткуда: я работаю без сети. Зато есть инструмент get_weather, который сочиняет правдоподобный прогноз. Вызову его и прямо скажу, что цифры придуманы.`,
          `Нужна погода ${inCity}. Метеослужбы под рукой нет, есть get_weather с вымышленными данными. Спрошу прогноз на три дня и не буду выдавать его за настоящий.`,
        ],
        en: [
          `They want the weather ${inCity}. I have no real data and no network to get it from, but there is get_weather, which invents a plausible forecast. I will call it and say plainly that the numbers are made up.`,
          `The weather ${inCity}, then. No weather service at hand, only get_weather with its fictional data. Three days will do, and I must not pass them off as real.`,
        ],
      }),
    },
    {
      type: "say",
      text: paragraphs(
        introduction(conversation, {
          ru: [
            "Сейчас посмотрю. Только имейте в виду: я демонстрационная модель Nitka, и прогноз у меня вымышленный.",
            "Секунду. Предупрежу сразу: отвечает демо-модель, поэтому и погода будет вымышленной.",
          ],
          en: [
            "Let me look. Mind that I am Nitka’s demo model, so the forecast will be a fictional one.",
            "One moment. Fair warning: this is a demo model, and its weather is fictional.",
          ],
        }) ??
          wording(conversation, {
            ru: ["Сейчас посмотрю.", "Секунду, спрошу инструмент."],
            en: ["Let me look.", "One moment."],
          }),
      ),
    },
    { type: "call", toolName: WEATHER_TOOL, input: { city, days: 3, language } },
  ];
}

function told(conversation: Conversation, { inCity }: Place, { days }: Forecast): readonly Beat[] {
  const { language } = conversation;
  const [today] = days;
  if (!today) return [];
  const heading = `${inCity.charAt(0).toUpperCase()}${inCity.slice(1)}`;
  const now =
    language === "ru"
      ? `### ${heading} сегодня\n\n**${degrees(today.dayC, language)}**, ${today.sky}. Ночью ${degrees(today.nightC, language)}, ветер ${today.windMs} м/с, вероятность дождя ${today.rainPercent}\u00A0%.`
      : `### Today ${inCity}\n\n**${degrees(today.dayC, language)}**, ${today.sky}. ${degrees(today.nightC, language)} at night, wind ${today.windMs} m/s, ${today.rainPercent}% chance of rain.`;
  return [
    {
      type: "cite",
      url: "https://example.com/forecast",
      title: language === "ru" ? "Вымышленная метеостанция" : "An invented weather station",
    },
    {
      type: "say",
      text: paragraphs(
        now,
        table(days, language),
        advice(conversation, today),
        wording(conversation, {
          ru: [
            "_Цифры сочинил инструмент `get_weather`: раскройте блок выше и увидите, что ему ушло и что вернулось._",
            "_Всё это выдумка инструмента `get_weather`; его аргументы и ответ лежат в блоке выше._",
          ],
          en: [
            "_The figures were made up by `get_weather`: unfold the block above to see what it was sent and what it returned._",
            "_All of this is `get_weather`’s invention; its arguments and result are in the block above._",
          ],
        }),
      ),
    },
  ];
}

function untold({ language }: Conversation, { inCity }: Place, why: "denied" | "failed"): string {
  const denied = why === "denied";
  if (language === "ru") {
    return denied
      ? `Хорошо, обойдусь без инструмента. Что ${inCity} за окном, тогда не узнаю.`
      : `Инструмент не ответил, и про погоду ${inCity} сказать нечего. Попробуйте спросить ещё раз.`;
  }
  return denied
    ? `All right, no tool then. I will not learn what it is like ${inCity}.`
    : `The tool did not answer, so there is nothing to say about the weather ${inCity}. Please ask again.`;
}

function table(days: readonly ForecastDay[], language: Conversation["language"]): string {
  const head =
    language === "ru"
      ? "| День | Небо | Днём | Ночью | Ветер |\n| --- | --- | ---: | ---: | ---: |"
      : "| Day | Sky | High | Low | Wind |\n| --- | --- | ---: | ---: | ---: |";
  const unit = language === "ru" ? "м/с" : "m/s";
  const rows = days.map(
    ({ day, sky, dayC, nightC, windMs }) =>
      `| ${day} | ${sky} | ${degrees(dayC, language)} | ${degrees(nightC, language)} | ${windMs} ${unit} |`,
  );
  return [head, ...rows].join("\n");
}

function advice(conversation: Conversation, { dayC, rainPercent }: ForecastDay): string {
  const wet = rainPercent > 30;
  if (conversation.language === "ru") {
    const clothes =
      dayC < 0
        ? "Одевайтесь теплее"
        : dayC < 12
          ? "Возьмите куртку"
          : dayC < 22
            ? "Хватит лёгкой кофты"
            : "Можно налегке";
    return `${clothes}${wet ? ", и зонт не помешает" : ", зонт можно оставить дома"}.`;
  }
  const clothes =
    dayC < 0 ? "Dress warmly" : dayC < 12 ? "Take a jacket" : dayC < 22 ? "A light sweater will do" : "Dress lightly";
  return `${clothes}${wet ? ", and an umbrella will not hurt" : "; the umbrella can stay at home"}.`;
}

/** A temperature with a minus sign (U+2212); in Russian also with a plus sign. */
function degrees(celsius: number, language: Conversation["language"]): string {
  const sign = celsius < 0 ? "−" : celsius > 0 && language === "ru" ? "+" : "";
  return `${sign}${Math.abs(celsius)}\u00A0°C`;
}
