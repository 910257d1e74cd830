import type { WireEvent } from "../../browser/backend.ts";
import { gate } from "../../browser/backend.ts";
import type { WidgetPage } from "../widget-page.ts";
import type { Scenario } from "./scenario.ts";

function source(n: number, url = `https://shop.example/page-${n}#place`): WireEvent {
  const nitka = { n, quote: `Цитата ${n}.`, heading: `Раздел ${n}` };
  return { type: "source-url", sourceId: String(n), url, title: `Страница ${n}`, providerMetadata: { nitka } };
}

/** A page of the site with a sentence far below its beginning. */
const help = `<main><h1>Помощь</h1>${"<p>Вступление.</p>".repeat(120)}
<p id="terms">Вернуть товар можно за тридцать дней.</p>${"<p>Прочее.</p>".repeat(120)}</main>`;

const sentence = encodeURIComponent("Вернуть товар можно");

/** Follows the answer's citation in the tab. Resolves when the page with the sentence is loaded. */
async function followCitation(page: WidgetPage, path: string): Promise<void> {
  await page.evaluate(() => Reflect.set(window, "isFormerPage", true));
  await page.click("Источник\u00a01");
  await page.until(
    () =>
      page
        .evaluate(() => (Reflect.get(window, "isFormerPage") ? "" : location.pathname + location.search))
        .catch(() => ""),
    path,
  );
}

/** Whether the sentence is in the window; "unsupported" if the engine does not support text fragments. */
function sentencePlace(page: WidgetPage): Promise<string> {
  return page.evaluate(() => {
    const box = document.querySelector("#terms")?.getBoundingClientRect();
    if (box && box.bottom > 0 && box.top < innerHeight) return "in view";
    return "fragmentDirective" in document ? "out of view" : "unsupported";
  });
}

function followed(by: string, path: string): Scenario {
  return {
    title: `opens a page of the site in its tab at the passage, by its ${by}, and the conversation is there`,
    async run(page, site) {
      site.script.answer = () => [source(1, site.origin + path), { type: "text-delta", delta: "За 30 дней [1]." }];
      await page.open("/shop", { options: `{ layout: "launcher", linkTarget: "self" }`, body: help });
      await page.click("Открыть чат");
      await page.converse("Можно вернуть?");
      await followCitation(page, path.replace(/#.*/, ""));
      await page.until(async () => ["in view", "unsupported"].includes(await sentencePlace(page)), true);
      await page.click("Открыть чат");
      await page.showsTexts(".answer p", "За 30 дней [1].");
    },
  };
}

/** Numbers in an answer that lead to their sources. */
export const citations: readonly Scenario[] = [
  {
    title: "shows the source of a number by focus, hides it alone on Escape, and copies the answer with its sources",
    async run(page, site) {
      const end = gate();
      site.script.answer = async function* () {
        yield source(1);
        yield { type: "text-delta", delta: "Два дня [1], [7]." };
        await end.opened;
      };
      await page.open("/shop", { options: `{ layout: "launcher" }` });
      await page.click("Открыть чат");
      await page.ask("Сколько ждать?");
      await page.shows("Источник\u00a01");
      await page.evaluate(() =>
        document.querySelector("nitka-chat")?.shadowRoot?.querySelector<HTMLElement>("[data-citation]")?.focus(),
      );
      await page.showsTexts(".citation-card", "Страница 1shop.example · Раздел 1Цитата 1.");
      await page.press("Escape");
      await page.showsTexts(".citation-card");
      await page.focusIsOn("Источник\u00a01: Страница 1");
      await page.shows("Остановить генерацию");
      // The source of the other number may still arrive: the number is raised like the first, but is not a link.
      await page.showsTexts(".answer [data-citation]:not([href])", "[7]");
      end.open();
      await page.shows("Отправить");
      await page.showsTexts(".answer [data-citation]:not([href])");
      await page.evaluate(() => {
        navigator.clipboard.write = async ([item]) => {
          const text = await (await item?.getType("text/plain"))?.text();
          Reflect.set(window, "copied", text);
        };
      });
      await page.click({ css: ".assistant-message button", name: "Копировать" });
      await page.until(
        () => page.evaluate(() => Reflect.get(window, "copied") as unknown),
        "Два дня [1], [7].\n\n[1] Страница 1 https://shop.example/page-1#place",
      );
    },
  },
  followed("id", "/help?by=id#terms"),
  followed("words", `/help?by=words#:~:text=${sentence}`),
];
