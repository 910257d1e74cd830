import { tool } from "ai";
import { z } from "zod";
import { sleep } from "@nitka/server/model-kit";
import type { Clock } from "@nitka/server/model-kit";
import { usualDegrees } from "./cities.ts";
import type { Language } from "./conversation.ts";

/** The result of the tool. It says that it is fictional, because visitors can open it. */
export interface Forecast {
  readonly city: string;
  readonly fictional: true;
  readonly note: string;
  readonly days: readonly ForecastDay[];
}

export interface ForecastDay {
  readonly day: string;
  readonly sky: string;
  readonly dayC: number;
  readonly nightC: number;
  readonly windMs: number;
  readonly rainPercent: number;
}

export const WEATHER_TOOL = "get_weather";

const input = z.object({
  city: z.string().min(1).max(100),
  days: z.number().int().min(1).max(5).default(3),
  language: z.enum(["ru", "en"]).default("ru"),
});

/**
 * The only tool of the demo model itself; the shop's tools belong to the page. It waits like a real one, and invents
 * its result.
 */
export function createWeatherTool(clock: Clock, workMs: number) {
  return tool({
    description: "A fictional weather forecast for a city, invented by Nitka's demo model",
    inputSchema: input,
    execute: async ({ city, days, language }, { abortSignal }): Promise<Forecast> => {
      await sleep(clock, workMs, abortSignal ?? new AbortController().signal);
      return inventForecast(city, days, language);
    },
  });
}

/** Invents weather that is always the same for the same city. */
function inventForecast(city: string, days: number, language: Language): Forecast {
  const seed = Array.from(city).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 10_007, 7);
  const skies = isFoggy(city) ? foggySkies[language] : allSkies[language];
  return {
    city,
    fictional: true,
    note: notes[language],
    days: dayNames[language].slice(0, days).map((day, index) => {
      const roll = seed + index * 37;
      const dayC = usualDegrees(city) + (roll % 5) - 1;
      const sky = skies[roll % skies.length] ?? "";
      return {
        day,
        sky,
        dayC,
        nightC: dayC - 4 - (roll % 4),
        windMs: 2 + (roll % 7),
        rainPercent: /дожд|rain/.test(sky) ? 60 + (roll % 6) * 5 : (roll % 5) * 5,
      };
    }),
  };
}

/** San Francisco has fog. */
function isFoggy(city: string): boolean {
  return city === "Сан-Франциско" || city === "San Francisco";
}

const notes = {
  ru: "Прогноз вымышленный: его сочинила демо-модель Nitka",
  en: "A fictional forecast, made up by Nitka's demo model",
} as const;

const dayNames = {
  ru: ["сегодня", "завтра", "послезавтра", "через три дня", "через четыре дня"],
  en: ["today", "tomorrow", "in two days", "in three days", "in four days"],
} as const;

const foggySkies = {
  ru: ["туман, к полудню солнце", "туман с океана", "ясно, вечером снова туман"],
  en: ["fog, sun by noon", "fog off the ocean", "clear, fog again by evening"],
} as const;

const allSkies = {
  ru: ["ясно", "переменная облачность", "облака с просветами", "небольшой дождь", "дымка, потом солнце"],
  en: ["clear", "partly cloudy", "clouds with bright spells", "light rain", "haze, then sun"],
} as const;
