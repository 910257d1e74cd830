import type { Language } from "./conversation.ts";

/** A place in a question about the weather. */
export interface Place {
  /** The name in the tool's arguments. */
  readonly city: string;
  /** The name with its preposition: «в Москве», "in Moscow". */
  readonly inCity: string;
}

/** The Russian name in the nominative and the prepositional case, the English name, a plausible temperature in °C. */
const cities: readonly (readonly [string, string, string, number])[] = [
  ["Сан-Франциско", "Сан-Франциско", "San Francisco", 16],
  ["Москва", "Москве", "Moscow", 9],
  ["Санкт-Петербург", "Санкт-Петербурге", "Saint Petersburg", 7],
  ["Новосибирск", "Новосибирске", "Novosibirsk", 2],
  ["Екатеринбург", "Екатеринбурге", "Yekaterinburg", 4],
  ["Казань", "Казани", "Kazan", 7],
  ["Нижний Новгород", "Нижнем Новгороде", "Nizhny Novgorod", 7],
  ["Самара", "Самаре", "Samara", 9],
  ["Омск", "Омске", "Omsk", 3],
  ["Томск", "Томске", "Tomsk", 1],
  ["Челябинск", "Челябинске", "Chelyabinsk", 4],
  ["Ростов-на-Дону", "Ростове-на-Дону", "Rostov-on-Don", 14],
  ["Уфа", "Уфе", "Ufa", 5],
  ["Красноярск", "Красноярске", "Krasnoyarsk", 1],
  ["Пермь", "Перми", "Perm", 4],
  ["Воронеж", "Воронеже", "Voronezh", 11],
  ["Волгоград", "Волгограде", "Volgograd", 14],
  ["Краснодар", "Краснодаре", "Krasnodar", 17],
  ["Сочи", "Сочи", "Sochi", 21],
  ["Калининград", "Калининграде", "Kaliningrad", 11],
  ["Владивосток", "Владивостоке", "Vladivostok", 9],
  ["Иркутск", "Иркутске", "Irkutsk", 0],
  ["Мурманск", "Мурманске", "Murmansk", -3],
  ["Якутск", "Якутске", "Yakutsk", -22],
  ["Минск", "Минске", "Minsk", 9],
  ["Тбилиси", "Тбилиси", "Tbilisi", 19],
  ["Ереван", "Ереване", "Yerevan", 20],
  ["Алматы", "Алматы", "Almaty", 15],
  ["Ташкент", "Ташкенте", "Tashkent", 22],
  ["Лондон", "Лондоне", "London", 12],
  ["Париж", "Париже", "Paris", 14],
  ["Берлин", "Берлине", "Berlin", 12],
  ["Рим", "Риме", "Rome", 20],
  ["Барселона", "Барселоне", "Barcelona", 20],
  ["Прага", "Праге", "Prague", 12],
  ["Стамбул", "Стамбуле", "Istanbul", 18],
  ["Белград", "Белграде", "Belgrade", 16],
  ["Нью-Йорк", "Нью-Йорке", "New York", 13],
  ["Лос-Анджелес", "Лос-Анджелесе", "Los Angeles", 22],
  ["Токио", "Токио", "Tokyo", 17],
  ["Пекин", "Пекине", "Beijing", 15],
  ["Дубай", "Дубае", "Dubai", 34],
  ["Сидней", "Сиднее", "Sydney", 19],
];

/** The place that a question names, whether or not the table has it. */
export function placeIn(question: string, language: Language): Place | undefined {
  const plain = question.toLowerCase();
  for (const [nominative, prepositional, english] of cities) {
    const forms = [nominative, prepositional, english].map((form) => form.toLowerCase());
    if (!forms.some((form) => hasWord(plain, form))) continue;
    return language === "ru"
      ? { city: nominative, inCity: `в${nominative.startsWith("Вл") ? "о" : ""} ${prepositional}` }
      : { city: english, inCity: `in ${english}` };
  }
  if (/(?<!\p{L})питер(?:е|у|а)?(?!\p{L})/u.test(plain)) return { city: "Санкт-Петербург", inCity: "в Петербурге" };
  // An unknown place keeps its preposition and grammatical case, so that the answer can repeat it.
  const [, preposition = "", name = ""] =
    /\s(во?|на|in|at)\s+(\p{Lu}[\p{L}’'-]*(?:\s\p{Lu}[\p{L}’'-]*)*)/u.exec(` ${question}`) ?? [];
  return name === "" ? undefined : { city: name, inCity: `${preposition} ${name}` };
}

/** A plausible temperature for a city in °C; 12 for a city that is not in the table. */
export function usualDegrees(city: string): number {
  const plain = city.toLowerCase();
  return cities.find((row) => row.some((form) => String(form).toLowerCase() === plain))?.[3] ?? 12;
}

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  if (at < 0) return false;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + word.length);
  return !/\p{L}/u.test(before) && !/\p{L}/u.test(after);
}
