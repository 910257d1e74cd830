/** One kind of markdown per scenario: a table, code, a list. */
import type { Conversation } from "../conversation.ts";
import { introduced, wording } from "../scenario.ts";
import type { Bilingual, Scenario } from "../scenario.ts";

const fence = "```";

export const table: Scenario = piece(
  /таблиц|(?<!\p{L})tables?(?!\p{L})/u,
  { ru: "Таблица", en: "A table" },
  {
    ru: [
      `Вот таблица. Колонки выравниваются по-разному: слева слова, справа числа.\n\n| Месяц | Заказы | Выручка, ₽ | Возвраты |\n| :--- | ---: | ---: | :---: |\n| Январь | 214 | 386 200 | 3 |\n| Февраль | 198 | 351 900 | 5 |\n| Март | 263 | 497 450 | 2 |\n| **Итого** | **675** | **1 235 550** | **10** |\n\nЦифры выдуманы, а итог сходится: можно проверить.`,
      `Другая таблица, пошире, чтобы было что прокручивать на телефоне.\n\n| Изделие | Материал | Высота | Объём | Обжиг | Цена | Срок |\n| :--- | :--- | ---: | ---: | ---: | ---: | :---: |\n| Пиала «Роса» | фарфор | 5 см | 90 мл | 1 280 °C | 1 400 ₽ | есть |\n| Кружка «Иней» | каменная масса | 9 см | 320 мл | 1 230 °C | 1 900 ₽ | есть |\n| Чайник «Овраг» | красная глина | 12 см | 650 мл | 1 060 °C | 5 600 ₽ | 3 недели |\n| Ваза «Стебель» | каменная масса | 24 см | — | 1 230 °C | 4 200 ₽ | 2 недели |`,
    ],
    en: [
      "A table. Words stand to the left, numbers to the right.\n\n| Month | Orders | Revenue, € | Returns |\n| :--- | ---: | ---: | :---: |\n| January | 214 | 3,862 | 3 |\n| February | 198 | 3,519 | 5 |\n| March | 263 | 4,974 | 2 |\n| **Total** | **675** | **12,355** | **10** |\n\nThe figures are invented, but they add up.",
      "A wider one, with something to scroll on a phone.\n\n| Piece | Material | Height | Volume | Firing | Price | Ready |\n| :--- | :--- | ---: | ---: | ---: | ---: | :---: |\n| Bowl | porcelain | 5 cm | 90 ml | 1,280 °C | €14 | now |\n| Mug | stoneware | 9 cm | 320 ml | 1,230 °C | €19 | now |\n| Teapot | red clay | 12 cm | 650 ml | 1,060 °C | €56 | 3 weeks |",
    ],
  },
);

export const code: Scenario = piece(
  /(?<!\p{L})код(?!\p{L}*ир)|програм|функци|скрипт|typescript|javascript|python|(?<!\p{L})(code|sql|function|script)/u,
  { ru: "Пример кода", en: "A code sample" },
  {
    ru: [
      `Функция, которая откладывает вызов, пока пользователь печатает:\n\n${fence}ts\nexport function debounce<Args extends unknown[]>(call: (...args: Args) => void, ms: number) {\n  let timer: ReturnType<typeof setTimeout> | undefined;\n  return (...args: Args): void => {\n    clearTimeout(timer);\n    timer = setTimeout(() => call(...args), ms);\n  };\n}\n${fence}\n\nИ как ею пользоваться:\n\n${fence}ts\nconst search = debounce((query: string) => fetch(\`/search?q=\${encodeURIComponent(query)}\`), 250);\nsearch("нитка");\n${fence}\n\nКод скопируется кнопкой в заголовке блока. Этот пример заготовлен: писать под задачу демо-модель не умеет.`,
      `Другой пример, на Python. Считает, какие слова встречаются чаще всего:\n\n${fence}python\nfrom collections import Counter\nfrom pathlib import Path\nimport re\n\n\ndef top_words(path: str, count: int = 10) -> list[tuple[str, int]]:\n    words = re.findall(r"[а-яё]{4,}", Path(path).read_text(encoding="utf-8").lower())\n    return Counter(words).most_common(count)\n\n\nfor word, times in top_words("war-and-peace.txt"):\n    print(f"{word:<16}{times}")\n${fence}\n\nЗапуск:\n\n${fence}bash\npython3 top_words.py\n${fence}\n\nПример заготовлен заранее: сочинять код по описанию — дело настоящей модели.`,
    ],
    en: [
      `A function that waits until the visitor stops typing:\n\n${fence}ts\nexport function debounce<Args extends unknown[]>(call: (...args: Args) => void, ms: number) {\n  let timer: ReturnType<typeof setTimeout> | undefined;\n  return (...args: Args): void => {\n    clearTimeout(timer);\n    timer = setTimeout(() => call(...args), ms);\n  };\n}\n${fence}\n\nThe button in its header copies it. The sample is a prepared one: writing code to order takes a real model.`,
      `Another one, in Python. It counts the commonest words:\n\n${fence}python\nfrom collections import Counter\nfrom pathlib import Path\nimport re\n\n\ndef top_words(path: str, count: int = 10) -> list[tuple[str, int]]:\n    words = re.findall(r"[a-z]{4,}", Path(path).read_text(encoding="utf-8").lower())\n    return Counter(words).most_common(count)\n${fence}\n\n${fence}bash\npython3 top_words.py\n${fence}\n\nA prepared sample again: a real model would write yours.`,
    ],
  },
);

export const list: Scenario = piece(
  /(?<!\p{L})спис(ок|ка|ки|ков)(?!\p{L})|чек-?лист|(?<!\p{L})(list|checklist)(?!\p{L})/u,
  { ru: "Список", en: "A list" },
  {
    ru: [
      "Список покупок для чаепития на шестерых:\n\n1. **Чай**\n   - улун, 50 г\n   - иван-чай, для тех, кто бережёт сон\n2. **К чаю**\n   - пастила\n   - орехи:\n     - грецкие\n     - кедровые\n3. **Забыть нельзя**\n   - [x] воду помягче\n   - [ ] салфетки\n   - [ ] позвать гостей",
      "Тот же день, другой список: что сделать до прихода гостей.\n\n- [x] прогреть чайник\n- [x] найти шестую чашку\n- [ ] решить, кто заваривает\n- [ ] спрятать телефон\n\nПорядок важен только в одном:\n\n1. сначала вода,\n2. потом чай,\n3. потом разговор.",
    ],
    en: [
      "A shopping list for tea with six guests:\n\n1. **Tea**\n   - oolong, 50 g\n   - something herbal for light sleepers\n2. **With it**\n   - shortbread\n   - nuts:\n     - walnuts\n     - pine nuts\n3. **Not to forget**\n   - [x] soft water\n   - [ ] napkins\n   - [ ] the guests",
      "The same day, another list: before they come.\n\n- [x] warm the pot\n- [x] find the sixth cup\n- [ ] decide who pours\n- [ ] put the phone away",
    ],
  },
);

function piece(words: RegExp, titles: Bilingual<string>, texts: Bilingual<readonly string[]>): Scenario {
  return {
    matches: ({ plain }) => words.test(plain),
    answer: (conversation: Conversation) => [introduced(conversation, wording(attemptAt(conversation), texts))],
    title: ({ language }) => titles[language],
  };
}

/** Python comes first when the question names it. */
function attemptAt(conversation: Conversation): Conversation {
  const { plain, attempt } = conversation;
  return /python|питон/.test(plain) ? { ...conversation, attempt: attempt + 1 } : conversation;
}
