import { describe, expect, test } from "vitest";
import { cutPassages } from "./cut-passages.ts";
import type { PageText } from "./page-text.ts";
import { readDocument } from "./read-document.ts";

const signal = new AbortController().signal;
const url = "https://shop.example/help/delivery.html";

async function read(text: string, format: "html" | "markdown" | "text" = "html"): Promise<PageText> {
  return await readDocument({ bytes: new TextEncoder().encode(text), format, url }, signal);
}

/** The passages as lines: the headings above, the anchor, the text. */
async function passagesOf(text: string, format: "html" | "markdown" | "text" = "html"): Promise<readonly string[]> {
  const page = await read(text, format);
  return cutPassages(page.blocks, page.language).map(
    ({ headings, anchor, text: passage }) => `${headings.join(" > ")} #${anchor ?? ""}: ${passage}`,
  );
}

describe("a page of HTML", () => {
  test("becomes passages below their headings, each with the nearest id", async () => {
    const html = `<html lang="ru"><head><title>Доставка — Магазин</title></head><body><main id="main">
      <h1>Доставка</h1><p>Мы возим по&nbsp;всей   стране.</p>
      <h2 id="price">Цена<a class="anchor" href="#price"> ¶</a></h2><p>300 ₽.</p><ul><li>Москва</li><li>Тверь</li></ul>
      <h3>Бесплатно</h3><p id="free">От 3000 ₽<br>всегда.</p>
      <section id="time"><h2>Срок</h2><dl><dt>Москва</dt><dd>1 день</dd></dl></section></main></body></html>`;
    expect(await read(html)).toMatchObject({ title: "Доставка", language: "ru", noindex: false, linksAlone: false });
    expect(await passagesOf(html)).toEqual([
      " #main: Мы возим по всей стране.",
      "Цена #price: 300 ₽.\nМосква\nТверь",
      "Цена > Бесплатно #free: От 3000 ₽\nвсегда.",
      "Срок #time: Москва\n1 день",
    ]);
  });

  test("loses what stands around its text", async () => {
    const around = `<nav>Каталог</nav><header>Шапка</header><footer>Подвал</footer><form><label>Имя</label><input></form>
      <script>let x = "скрипт";</script><noscript><meta http-equiv="refresh" content="0;url=/no"><p>Включите</p></noscript>
      <div hidden>Скрыто</div><p style="display: none">Скрыто</p><p aria-hidden="true">Скрыто</p><template>Шаблон</template>
      <div data-nitka-ignore><p>Не для ответов</p></div><div role="navigation">Путь</div><button>Купить</button>
      <div class="wp-block-comments"><h2>Отзывы</h2><p>Привезли даром</p></div><ol class="x commentlist"><li>Даром</li></ol>
      <div id="comments" class="comments-area"><p>Привезли даром</p></div>
      <div class="left-menu"><a href="/a">Платья</a> <a href="/b">Юбки</a></div>
      <table><tr><td><a href="/1">Один</a></td><td><a href="/2">Два</a></td><td><a href="/3">Три</a></td></tr></table>
      <aside><h3>На странице</h3><ul><li>1. <a href="#a">Сроки</a></li><li>2. <a href="#b">Цены</a></li><li>3. <a href="#c">Куда</a></li></ul></aside>`;
    expect(await passagesOf(`<body>${around}<p>Текст.</p>${around}</body>`)).toEqual([" #: Текст."]);
  });

  test("keeps an article's heading, a form that holds the page, a note in an aside, and folded answers", async () => {
    const html = `<form><article><header><h1>Возврат</h1><p>Иван, 3 мая</p></header><p>За 14 дней.</p>
      <aside>Кроме белья.</aside><details><summary><button>А чек?</button></summary>Не нужен.</details></article></form>`;
    expect((await read(html)).title).toBe("Возврат");
    expect(await passagesOf(html)).toEqual([" #: За 14 дней.\nКроме белья.\nА чек?\nНе нужен."]);
  });

  test("keeps the rows of a table and the lines of code", async () => {
    const html = `<table id="sizes"><tr><th>Размер</th><th>Грудь</th></tr><tr><td><p>S</p></td><td>84</td></tr></table>
      <pre><code>npm i\n\n  npm start\n</code></pre>`;
    expect(await passagesOf(html)).toEqual([" #sizes: Размер | Грудь\nS | 84\nnpm i\n\n  npm start"]);
    const layout =
      "<table><tr><td><a href=/>Дом</a></td><td><h2>Уход</h2><p>Стирать.</p><p>Сушить.</p></td></tr></table>";
    expect(await passagesOf(layout)).toEqual([" #: Дом", "Уход #: Стирать.\nСушить."]);
  });

  test("of links alone has no passages, and says so", async () => {
    const links = `<title>Всё</title><ul>${"<li><a href='/x'>Страница</a></li>".repeat(9)}</ul>`;
    expect(await read(links)).toMatchObject({ linksAlone: true });
    expect(await passagesOf(links)).toEqual([]);
    expect(await read("<title>Приложение</title><div id=root></div>")).toMatchObject({ linksAlone: false });
  });

  test.each([
    ["<title>Доставка — Магазин</title><h1>Магазин</h1>", "Доставка"],
    ["<title>Доставка и оплата</title><meta property=og:site_name content=Магазин>", "Доставка и оплата"],
    ["<title>Доставка | Магазин</title><meta property=og:site_name content=Магазин>", "Доставка"],
    ["<title>Магазин</title><h1>Как мы возим</h1>", "Как мы возим"],
    ["<title>5.3. Как - это делается</title><h2>Раздел</h2>", "5.3. Как - это делается"],
    ["<svg><title>Значок</title></svg><p>Текст", "delivery"],
  ])("is named by its heading or its title: %s", async (html, title) => {
    expect((await read(html)).title).toBe(title);
  });

  test("says what robots may do, and which address is its own", async () => {
    expect(await read('<meta name="robots" content="NOINDEX, follow">')).toMatchObject({ noindex: true });
    expect(await read('<meta name="googlebot" content="noindex">')).toMatchObject({ noindex: false });
    expect(await read('<base href="/ru/"><link rel="canonical" href="dostavka">')).toMatchObject({
      canonical: "https://shop.example/ru/dostavka",
    });
  });

  test("in XHTML does not end at an empty element", async () => {
    const xhtml = `<?xml version="1.0"?><!DOCTYPE html><html><head><title>Т</title><script src="a.js"/></head><body><a id="x"/><p>Текст</p></body></html>`;
    expect(await passagesOf(xhtml)).toEqual([" #x: Текст"]);
  });

  test("may be nested 75,000 deep, and is refused where it has more elements or they multiply", async () => {
    const deep = `${"<div>".repeat(75_000)}<p>Глубоко.`;
    expect(await passagesOf(deep)).toEqual([" #: Глубоко."]);
    const fonts = Array.from({ length: 20_000 }, (_, at) => `<font size="${at}"><p>`).join("");
    await expect(read("<div>".repeat(100_000))).rejects.toMatchObject({ code: "too_complex" });
    await expect(read(fonts)).rejects.toMatchObject({ code: "too_complex" });
  });
});

describe("Markdown and text", () => {
  test("are read like pages", async () => {
    const markdown = `---\ntitle: "Уход"\n---\n# Уход за вещами\n\n## Стирка {#wash}\n\nПри *30°*.\n\n| Ткань | Можно |\n| --- | --- |\n| Лён | да |\n\n~~~\nкод\n~~~\n\n<div data-nitka-ignore>нет</div>\n`;
    expect((await read(markdown, "markdown")).title).toBe("Уход");
    expect(await passagesOf(markdown, "markdown")).toEqual([
      "Уход за вещами > Стирка #wash: При 30°.\nТкань | Можно\nЛён | да\nкод",
    ]);
    const text = "Памятка\n\nПервый абзац\nиз строк.\n\n\nВторой.";
    expect((await read(text, "text")).title).toBe("Памятка");
    expect(await passagesOf(text, "text")).toEqual([" #: Первый абзац\nиз строк.\nВторой."]);
  });

  test("of any nesting end", async () => {
    const quotes = `${">".repeat(20_000)} слово\n\n${"* ".repeat(5_000)}пункт\n\n${"[".repeat(20_000)}`;
    expect((await passagesOf(quotes, "markdown")).join("")).toContain("слово");
  });
});

test("the time for a title or a heading grows with its length alone", async () => {
  const spaces = " ".repeat(400_000);
  expect((await read(`---\ntitle: "а${spaces}б"\n---\nтекст`, "markdown")).title).toBe("а б");
  expect((await read(`---\ntitle: 'а'\n---\nтекст`, "markdown")).title).toBe("а");
  const marks = "#".repeat(400_000);
  expect(await passagesOf(`<h2>а${marks}б ¶#</h2><p>текст`)).toEqual([`а${marks}б`.slice(0, 299) + "… #: текст"]);
});

describe("cutting", () => {
  test("ends passages between sentences, rows and lines, and keeps all text", async () => {
    const sentence = (at: number): string => `Предложение номер ${at} говорит о доставке в город ${at}.`;
    const long = Array.from({ length: 100 }, (_, at) => sentence(at)).join(" ");
    const row = (at: number): string => `<tr><td>Город ${at}</td><td>${at} дней</td></tr>`;
    const rows = `<table>${Array.from({ length: 200 }, (_, at) => row(at)).join("")}</table>`;
    const code = `<pre>${Array.from({ length: 200 }, (_, at) => `строка ${at}`).join("\n")}</pre>`;
    const page = await read(`<h2>А</h2><p>${long}</p><h2>Б</h2>${rows}<h2>В</h2>${code}`);
    const passages = cutPassages(page.blocks, "ru");
    expect(passages.every(({ text }) => text.length <= 1_200)).toBe(true);
    const of = (heading: string): readonly string[] =>
      passages.filter(({ headings }) => headings.includes(heading)).map(({ text }) => text);
    expect(of("А").join(" ")).toBe(long);
    expect(of("А").every((text) => text.endsWith("."))).toBe(true);
    expect(of("Б").join("\n").split("\n")).toHaveLength(200);
    expect(of("Б").every((text) => /^Город \d+ \| \d+ дней$/.test(text.split("\n").at(-1) ?? ""))).toBe(true);
    expect(of("В").join("\n").split("\n")).toHaveLength(200);
  });

  test("gives an id to the first passage below it alone, and the number of a PDF's page to all", async () => {
    const text = Array.from({ length: 60 }, (_, at) => `<p>Предложение номер ${at} говорит о доставке.</p>`).join("");
    const page = await read(`<div id="content"><h1>А</h1>${text}<h2 id="b">Б</h2>${text}</div>`);
    const anchors = cutPassages(page.blocks).map(({ headings, anchor }) => `${headings.at(-1) ?? ""}#${anchor ?? ""}`);
    expect(anchors).toEqual(["#content", "#", "#", "Б#b", "Б#", "Б#"]);
    const paged = page.blocks.map((block) => Object.assign({}, block, { anchor: "page=2" }));
    expect(new Set(cutPassages(paged).map(({ anchor }) => anchor))).toEqual(new Set(["page=2"]));
  });

  test("leaves a paragraph whole where that leaves no crumbs, and cuts a word without end", async () => {
    const paragraph = `${"слово ".repeat(115)}конец.`;
    const page = await read(`<p>${paragraph}</p><p>${paragraph}</p><p>${"ы".repeat(3_000)}</p>`);
    expect(cutPassages(page.blocks).map(({ text }) => text.length)).toEqual([
      paragraph.length,
      paragraph.length,
      1_200,
      1_200,
      600,
    ]);
  });
});
