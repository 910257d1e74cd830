/**
 * Answers like those of a model, in Russian and English, with every kind of markdown and of any length; and conversations of
 * them.
 */
import type { Message } from "@nitka/protocol";

/** Pseudo-random numbers between 0 and 1, the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const sentences = [
  "Тесто вымешивают до тех пор, пока оно не станет **гладким и упругим**, а затем оставляют в тепле.",
  "Температура воды важнее, чем кажется: при *28 градусах* закваска работает вдвое быстрее, чем при двадцати.",
  "The build takes the `--minify` flag into account only when `NODE_ENV` is set to `production`.",
  "Подробности есть в [руководстве](https://example.com/guide?page=2#top) и в [заметках к выпуску][notes].",
  "A queue that grows without bound is a leak with a friendly name; see https://example.com/queues for the numbers.",
  "Запрос выполняется за ~~сорок~~ двенадцать миллисекунд, если индекс уже прогрет[^plan].",
  "In practice the second approach wins: it is **simpler**, it is *faster*, and nobody has to remember `flush()`.",
  "Сначала кажется, что порядок шагов не важен, но каждый следующий опирается на то, что сделано перед ним.",
  "Проверить это просто: достаточно повторить опыт при другой температуре и сравнить, насколько поднялось тесто.",
  "The first version was slower than the old one, and for a week nobody could tell why.",
  "Обычно хватает одного дня, чтобы привыкнуть, и месяца, чтобы перестать понимать, как было раньше.",
  "What looks like a detail decides how the whole thing feels: the same data, shown a second earlier, is another product.",
  "На больших объёмах узким местом становится не процессор, а ожидание диска, и это видно по очереди запросов.",
  "Два способа дают одинаковый результат, однако второй легче объяснить тому, кто придёт после вас.",
  "There is no rule without a reason here, and where the reason is gone the rule should follow it.",
  "Если данных мало, разницы не заметно; на миллионе строк она становится десятикратной.",
];

const code: readonly (readonly [language: string, lines: readonly string[]])[] = [
  [
    "typescript",
    [
      "export async function load(id: string): Promise<Loaf> {",
      "  const response = await fetch(`/api/loaves/${id}`, { cache: 'no-store' });",
      "  if (!response.ok) throw new Error(`HTTP ${response.status}`);",
      "  return (await response.json()) as Loaf; // проверено схемой",
      "}",
    ],
  ],
  [
    "python",
    ["def total(rows):", '    """Сумма по строкам."""', "    return sum(row['price'] * row['count'] for row in rows)"],
  ],
  [
    "sql",
    [
      "SELECT city, avg(temperature) AS t",
      "FROM weather WHERE day >= '2026-01-01'",
      "GROUP BY city HAVING count(*) > 10 ORDER BY t DESC;",
    ],
  ],
  ["bash", ["for file in *.log; do", '  gzip -9 "$file" && echo "сжат: $file"', "done"]],
];

/** An answer of exactly this many characters. */
export function answerOf(length: number, seed = 1): string {
  const random = randomNumbers(seed);
  const parts: string[] = [];
  for (let size = 0, chapter = 1; size < length; chapter += 1) {
    const text = chapterOf(chapter, random);
    parts.push(text);
    size += text.length;
  }
  return parts.join("").slice(0, length);
}

/** Splits a text like a model sends it: into pieces of 1 to 19 characters. */
export function deltasOf(text: string, seed = 2): readonly string[] {
  const random = randomNumbers(seed);
  const deltas: string[] = [];
  for (let from = 0; from < text.length;) {
    const delta = text.slice(from, from + 1 + Math.floor(random() * 19));
    deltas.push(delta);
    from += delta.length;
  }
  return deltas;
}

/** A conversation of this many messages: questions of one line, and mostly short answers, one in ten with code and tables. */
export function conversationOf(threadId: string, count: number): readonly Message[] {
  const random = randomNumbers(count);
  return Array.from({ length: count }, (_, index): Message => {
    const parentId = index === 0 ? null : `${threadId}-${index - 1}`;
    const last = index === count - 1 ? `\n\n${lastWords}` : "";
    const content = index % 2 === 0 ? `Вопрос ${index}: что дальше?` : answerOf(lengthOf(random()), index) + last;
    return { id: `${threadId}-${index}`, role: index % 2 === 0 ? "user" : "assistant", content, parentId };
  });
}

/** The end of the last message. */
export const lastWords = "Здесь переписка кончается.";

function lengthOf(share: number): number {
  if (share < 0.6) return 160;
  return share < 0.9 ? 600 : 2000;
}

function chapterOf(number: number, random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const sentence = () => pick(sentences);
  const paragraph = () => Array.from({ length: 2 + Math.floor(random() * 3) }, sentence).join(" ");
  const [language, lines] = pick(code);
  const items = Array.from({ length: 3 + Math.floor(random() * 4) }, (_, index) =>
    random() < 0.3 ? `- ${sentence()}\n  - вложенный пункт ${index}\n    - и ещё один` : `- ${sentence()}`,
  );
  const rows = Array.from(
    { length: 3 + Math.floor(random() * 6) },
    (_, index) =>
      `| Строка ${index} | ${(random() * 100).toFixed(1)} | \`v${number}.${index}\` | ${pick(["да", "нет"])} |`,
  );
  return [
    `## Глава ${number}. Как это устроено`,
    paragraph(),
    items.join("\n"),
    paragraph(),
    `\`\`\`${language}\n${Array.from({ length: 1 + Math.floor(random() * 3) }, () => lines.join("\n")).join("\n\n")}\n\`\`\``,
    `### Что получилось в главе ${number}`,
    `| Что | Сколько | Версия | Готово |\n| :-- | --: | :-: | --- |\n${rows.join("\n")}`,
    `1. ${sentence()}\n2. ${sentence()}\n\n   \`\`\`${language}\n   ${lines[0]}\n   \`\`\`\n3. ${sentence()}`,
    `> ${sentence()}\n> ${sentence()}`,
    `- [x] ${sentence()}\n- [ ] ${sentence()}`,
    ...(number % 3 === 1
      ? ["[^plan]: План запроса виден в журнале.", `[notes]: https://example.com/notes/${number}`]
      : []),
    "---",
    "",
  ].join("\n\n");
}
