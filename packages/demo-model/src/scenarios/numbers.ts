import { introduced, wording } from "../scenario.ts";
import type { Conversation } from "../conversation.ts";
import type { Scenario } from "../scenario.ts";

const sum =
  /(?<![\d.,])(-?\d{1,9}(?:[.,]\d{1,6})?)\s*([+\-−–*×x·:/÷]|плюс|минус|умножить на|разделить на|plus|minus|times)\s*(\d{1,9}(?:[.,]\d{1,6})?)(?![\d.,]*\d)/;

/** Calculates with two numbers and an operator, which is the only thing that the demo really computes. */
export const arithmetic: Scenario = {
  matches: ({ plain }) => plain.length < 60 && sum.test(plain),
  answer: (conversation) => {
    const [, left = "", sign = "", right = ""] = sum.exec(conversation.plain) ?? [];
    const result = calculate(numberOf(left), sign, numberOf(right));
    const shown = result === undefined ? undefined : formatted(result, conversation.language);
    return [
      introduced(
        conversation,
        shown === undefined
          ? wording(conversation, {
              ru: ["На ноль делить не возьмусь: это не умеют и большие модели."],
              en: ["I will not divide by zero; larger models cannot either."],
            })
          : wording(conversation, {
              ru: [
                `Получается **${shown}**. Считать я правда умею, но только два числа за раз.`,
                `**${shown}**. Проверьте на калькуляторе, я не обижусь.`,
              ],
              en: [
                `That makes **${shown}**. I can really do sums, if only of two numbers at a time.`,
                `**${shown}**. Check it, I will not be offended.`,
              ],
            }),
      ),
    ];
  },
  title: ({ language }) => (language === "ru" ? "Арифметика" : "A sum"),
};

const counting = /(?:счита\p{L}*|перечисли числа).{0,20}?до\s+(\d{1,4})|count\s+(?:up\s+)?to\s+(\d{1,4})/u;

/** Counts up to a number: a long answer at an even pace, to watch or to stop. */
export const count: Scenario = {
  matches: ({ plain }) => counting.test(plain),
  answer: (conversation) => {
    const match = counting.exec(conversation.plain);
    const end = Math.min(Number(match?.[1] ?? match?.[2] ?? 10), 1_000);
    const rows = Array.from({ length: Math.ceil(end / 10) }, (_, row) =>
      Array.from({ length: Math.min(10, end - row * 10) }, (__, index) => row * 10 + index + 1).join(", "),
    );
    return [
      introduced(
        conversation,
        wording(conversation, {
          ru: ["Считаю. Остановить можно в любой момент.", "Поехали, остановить можно кнопкой."],
          en: ["Counting. Stop me whenever you like.", "Off we go; there is a button to stop me."],
        }),
        rows.join(",  \n"),
      ),
    ];
  },
  title: ({ language }) => (language === "ru" ? "Счёт по порядку" : "Counting"),
};

function numberOf(text: string): number {
  return Number(text.replace(",", "."));
}

function calculate(left: number, sign: string, right: number): number | undefined {
  if (sign === "+" || sign === "плюс" || sign === "plus") return left + right;
  if (["-", "−", "–", "минус", "minus"].includes(sign)) return left - right;
  if (["*", "×", "x", "·", "умножить на", "times"].includes(sign)) return left * right;
  return right === 0 ? undefined : left / right;
}

function formatted(value: number, language: Conversation["language"]): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(value).replace("-", "−");
}
