/** The demo's essays on chat applications, each in two versions. */
import type { Bilingual } from "../scenario.ts";

const sceneRu = `## План

1. Как было: человек учит интерфейс.
2. Что изменилось: интерфейс учится понимать человека.
3. Цена: ошибки, доверие, привычка не проверять.
4. Вывод: хороший чат знает, когда ему промолчать.

## Черновик

### Окно, в которое можно просто сказать

Полвека мы учились разговаривать с машинами на их языке. Запоминали команды, искали нужный пункт в меню, угадывали, под каким значком спрятан экспорт. Приложение с ИИ-чатом переворачивает этот договор: теперь машина пытается понять нас. Вместо десяти экранов — одна строка, вместо инструкции — вопрос.

Мысль не новая. Ещё в 1966 году Джозеф Вейценбаум написал «Элизу», программу, которая переспрашивала собеседника его же словами[^1]. Понимать она не умела, но люди всё равно рассказывали ей личное. Урок был не про технику: разговор располагает к доверию раньше, чем его заслужили.

Сегодняшние чаты понимают неизмеримо больше, а урок остался. Удобство у них настоящее:

- **порог входа исчез**: спросить умеет каждый, от школьника до бабушки;
- **ответ приходит в контексте**: можно уточнить, возразить, попросить короче;
- **рутина сжимается**: письмо, таблица, кусок кода появляются за минуту, а не за вечер.

Но и цена настоящая. Модель говорит уверенно и тогда, когда ошибается, а гладкая фраза выглядит проверенной. Поэтому лучшие приложения показывают не только ответ, но и дорогу к нему: источники, вызванные инструменты, ход рассуждения.

> Хороший собеседник отличается от болтливого тем, что говорит «не знаю» вовремя.

Отсюда и вывод. Чат победит не там, где он заменит все кнопки, а там, где снимет страх перед ними. Кнопка хороша, когда знаешь, чего хочешь; разговор — когда только выясняешь. Приложению нужны оба, и **искусство в том, чтобы уступать место вовремя**.

---

Чтобы текст стал вашим, ответьте себе на три вопроса. Для кого он: преподавателя, блога, работы? Какой объём нужен? Какой чат выручил или подвёл лично вас? Третий ответ поставьте в начало.

[^1]: Названа по имени героини «Пигмалиона» Бернарда Шоу: та тоже училась говорить.`;

const argumentRu = `## Чат вместо кнопки: спор с самим собой

**Тезис.** Приложение с ИИ-чатом — самый человечный интерфейс из всех, что у нас были. Его не нужно осваивать. Ребёнок задаёт вопрос раньше, чем учится читать, и чат начинается ровно там, где уже есть это умение.

**Возражение.** Зато кнопка честна. На ней написано, что она делает, и делает она это каждый раз одинаково. Чат же обещает всё и сразу, а границы его умений видны только тогда, когда вы в них упёрлись.

**Ответ.** Верно, и потому спорить нужно не «чат или кнопка», а «что и когда». Сравним:

| Когда | Лучше кнопка | Лучше разговор |
| :--- | :---: | :---: |
| Действие повторяется каждый день | ● | |
| Ошибка стоит дорого | ● | |
| Человек не знает нужного слова | | ● |
| Задача складывается по ходу | | ● |

Посмотрите на правую колонку: там всё, что раньше требовало другого человека. Консультанта в магазине, коллеги за соседним столом, терпеливого преподавателя. Не потому, что задачи трудны, а потому, что их *ещё нужно сформулировать*. Именно это разговор и делает.

> Мы привыкли думать, что приходим в чат за ответами. Чаще мы приходим за вопросом, который сумели наконец задать.

**Вывод.** Приложения с чатом хороши не умением отвечать, а готовностью слушать. Но слушающему верят, и это обязывает: показывать источники, признавать незнание, давать человеку последнее слово. Там, где это правило нарушено, лучше честная кнопка.

---

Что усилит этот текст:

- [ ] свой случай вместо общих слов — сразу после тезиса;
- [ ] ещё одно возражение, с которым вы *не* справились;
- [x] таблица: её можно оставить, преподаватели любят таблицы.

И последнее: не ~~переписывайте~~ пересказывайте. Своими словами выйдет и точнее, и короче.`;

const sceneEn = `## Plan

1. Then: people learn the interface.
2. Now: the interface learns to understand people.
3. The price: errors, trust, and the habit of not checking.
4. The point: a good chat knows when to keep quiet.

## Draft

### A window you can simply talk to

For half a century we have spoken to machines in their own language. We learned commands, hunted through menus, guessed which icon hid the export. An AI chat app turns that bargain round: the machine now tries to understand us. One line instead of ten screens, a question instead of a manual.

The thought is not new. In 1966 Joseph Weizenbaum wrote ELIZA, a program that handed people’s words back to them as questions[^1]. It understood nothing, and still people told it private things. The lesson was not about technology: conversation invites trust before trust is earned.

Today’s chats understand far more, and the lesson stands. The gain is real:

- **no threshold**: everybody knows how to ask;
- **answers in context**: you can object, narrow down, ask for less;
- **less routine**: a letter, a table or a piece of code takes a minute instead of an evening.

So is the price. A model sounds sure when it is wrong, and a smooth sentence looks like a checked one. That is why the best apps show not only the answer but the way to it: sources, tools, reasoning.

> A good companion differs from a talkative one by saying “I don’t know” in time.

Chat will win not where it replaces every button, but where it takes away the fear of them. A button is good when you know what you want; a conversation, while you are finding out. An app needs both, and **the art is to make room in time**.

---

To make the text yours, answer three questions for yourself: who is it for, how long should it be, and which chat has helped you or let you down? Put the third answer first.

[^1]: Named after the heroine of Shaw’s *Pygmalion*, who was learning to speak, too.`;

const argumentEn = `## Chat instead of a button: an argument with myself

**Claim.** An AI chat app is the most human interface we have had. Nobody has to learn it: children ask before they read, and chat begins exactly there.

**Objection.** A button, though, is honest. It says what it does and does the same thing every time. A chat promises everything, and you only see its limits when you run into them.

**Answer.** True, so the question is not which one, but when:

| When | A button | A conversation |
| :--- | :---: | :---: |
| The action repeats every day | ● | |
| A mistake is expensive | ● | |
| You do not know the right word | | ● |
| The task takes shape as you go | | ● |

The right-hand column used to take another person: a shop assistant, a colleague, a patient teacher. Not because the tasks are hard, but because they *still have to be put into words*.

> We think we come to a chat for answers. More often we come for the question we finally managed to ask.

**Conclusion.** Chat apps are good not at answering but at listening. Those who listen are believed, and that obliges: show sources, admit ignorance, leave the last word to the person. Where this rule is broken, an honest button is better.

---

What would make it stronger:

- [ ] a story of your own right after the claim;
- [ ] one more objection that you could *not* answer;
- [x] the table: keep it, teachers like tables.

One last thing: do not ~~copy~~ retell. In your own words it will be both truer and shorter.`;

/** The essays in the order in which repeated questions get them. */
export const chatEssays: Bilingual<readonly string[]> = { ru: [sceneRu, argumentRu], en: [sceneEn, argumentEn] };
