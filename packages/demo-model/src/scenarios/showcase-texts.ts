/** Every kind of markdown, for demonstration. */
import type { Bilingual } from "../scenario.ts";

const queryAndCommand = `\`\`\`sql
select variety, count(*) as orders
from tea_orders
where ordered_at > now() - interval '7 days'
group by variety
order by orders desc;
\`\`\`

\`\`\`bash
curl -s http://localhost:3000/healthz
\`\`\``;

const ru = `## Текст

Слова бывают **важными**, *интонационными* и ~~лишними~~. Команды вроде \`npm start\` стоят моноширинно, ссылки ведут [к описанию разметки](https://commonmark.org/help/), а голый адрес https://github.github.com/gfm/ становится ссылкой сам. К любому утверждению можно поставить сноску[^1], и даже не одну[^check].

## Списки

1. Нумерованный список хранит порядок.
   - Внутри живёт маркированный,
   - и ещё один уровень:
     - глубже трёх ходить не стоит,
     - читатель заблудится.
2. Второй пункт держится под номером первого.

Задачи отмечаются галочками:

- [x] показать заголовки и списки
- [x] не забыть про сноски
- [ ] придумать, что ещё бывает в разметке

## Таблица

| Сорт | Заварка | Вода, °C | Минуты |
| :--- | :---: | ---: | ---: |
| Сенча | зелёный | 75 | 2 |
| Да Хун Пао | улун | 95 | 1 |
| Шу пуэр | тёмный | 100 | 3 |
| Иван-чай | травяной | 90 | 7 |

## Цитаты

> Простота — это то, что остаётся, когда убрано лишнее.
>
> > А как понять, что лишнее?
>
> Убрать и посмотреть, заметит ли кто-нибудь.

## Код

\`\`\`ts
/** Время заварки растёт с каждым проливом. */
export function steepSeconds(round: number, first = 20): number {
  return Math.round(first * 1.3 ** (round - 1));
}
\`\`\`

\`\`\`python
def cups(litres: float, cup_ml: int = 200) -> int:
    """Сколько чашек выйдет из чайника."""
    return int(litres * 1000 // cup_ml)
\`\`\`

${queryAndCommand}

\`\`\`json
{ "variety": "Сенча", "water": 75, "minutes": 2 }
\`\`\`

---

### Мелочи

Строка с переносом  
продолжается на следующей. Экранированные \\*звёздочки\\* остаются звёздочками. Длинное слово «частнопредпринимательский» переносится, а не рвёт колонку. Эмодзи тоже на месте: 🫖.

[^1]: Сноска собирается внизу и умеет возвращать туда, откуда пришли.
[^check]: В сноске может быть \`код\` и [ссылка](https://ru.wikipedia.org/wiki/Сноска).`;

const en = `## Text

Words can be **important**, *stressed* or ~~superfluous~~. Commands such as \`npm start\` are set in monospace, links lead [to the syntax](https://commonmark.org/help/), and a bare https://github.github.com/gfm/ becomes a link by itself. Any claim can bear a footnote[^1], or two[^check].

## Lists

1. A numbered list keeps its order.
   - A bulleted one lives inside,
   - with one more level:
     - deeper than three
     - the reader gets lost.
2. The second item stays below the first.

Tasks have boxes:

- [x] show headings and lists
- [x] remember the footnotes
- [ ] think of what else there is

## Table

| Variety | Kind | Water, °C | Minutes |
| :--- | :---: | ---: | ---: |
| Sencha | green | 75 | 2 |
| Da Hong Pao | oolong | 95 | 1 |
| Shu puer | dark | 100 | 3 |
| Fireweed | herbal | 90 | 7 |

## Quotes

> Simplicity is what remains when the superfluous is gone.
>
> > And how do I know what is superfluous?
>
> Take it away and see whether anyone notices.

## Code

\`\`\`ts
/** Each steep takes longer than the one before. */
export function steepSeconds(round: number, first = 20): number {
  return Math.round(first * 1.3 ** (round - 1));
}
\`\`\`

\`\`\`python
def cups(litres: float, cup_ml: int = 200) -> int:
    """How many cups a kettle gives."""
    return int(litres * 1000 // cup_ml)
\`\`\`

${queryAndCommand}

\`\`\`json
{ "variety": "Sencha", "water": 75, "minutes": 2 }
\`\`\`

---

### Odds and ends

A line with a break  
goes on in the next. Escaped \\*asterisks\\* stay asterisks. Emoji are there, too: 🫖.

[^1]: Footnotes gather at the end and lead back to where they were called.
[^check]: They may hold \`code\` and a [link](https://en.wikipedia.org/wiki/Note_(typography)).`;

/** Every kind of block and inline that the widget renders. */
export const everyMarkdown: Bilingual<string> = { ru, en };
