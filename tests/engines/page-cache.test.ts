/** The browser's own back/forward cache, which the headless shell of the other tests does not have. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { findFirefox } from "../../scripts/find-engines.mjs";
import { pageContents } from "../browser/page-contents.ts";
import { createServerBackend } from "../browser/server-backend.ts";
import { startSite } from "../browser/site.ts";
import type { Site } from "../browser/site.ts";
import { tokenOf } from "../browser/visitor-token.ts";
import type { Driver } from "./driver.ts";
import { startChromium, startFirefox } from "./puppeteer-driver.ts";
import { WidgetPage } from "./widget-page.ts";

/** A shop that knows who is signed in, and records the state of the widget each time its page is shown. */
const head = `<script>
  const tokens = ${JSON.stringify({ anna: tokenOf("anna"), boris: tokenOf("boris") })};
  const user = () => localStorage.getItem("shop-user");
  const token = async () => {
    // The delay is long enough for the browser to draw the page.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200))));
    if (user() === "nobody") throw new Error("signed out");
    return tokens[user()];
  };
  window.showings = [];
  addEventListener("pageshow", ({ persisted }) =>
    showings.push([persisted, chat.element.style.visibility, performance.getEntriesByType("navigation")[0].notRestoredReasons ?? null]),
  );
  localStorage.setItem("shop-user", "anna");
</script>`;
const options = `{ target: "#chat", projectId: "signed", visitorToken: token, visitorId: user() }`;

describe.each([
  ["Chromium", async () => startChromium(await findBrowser("whole"))],
  ["Firefox", async () => startFirefox(await findFirefox())],
] as const)("a page out of the cache of %s", (_, start) => {
  let driver: Driver;
  let site: Site;
  let page: WidgetPage;
  beforeAll(async () => {
    driver = await start();
  });
  afterAll(() => driver?.close());
  beforeEach(async () => {
    site = await startSite(createServerBackend);
    await driver.reset();
    page = new WidgetPage(driver, site);
    await page.open("/", { head, options });
    await page.converse("Секрет Анны");
  });
  afterEach(() => site.close());

  /** Anna leaves for another page, on which the shop's visitor changes, and then presses Back. */
  const comeBack = async (user: "anna" | "boris" | "nobody") => {
    site.host.html = `<title>Другая</title><script>localStorage.setItem("shop-user", "${user}")</script>`;
    await page.goto("/other");
    await driver.run("setTimeout(() => history.back())");
    const showings = () => driver.run("return window.showings").catch(() => undefined);
    // The page was not loaded again, and the host found it hidden when it came back.
    await page.until(showings, [
      [false, "", null],
      [true, "hidden", null],
    ]);
  };
  const traces = async () =>
    (await page.evaluate(pageContents)).split("\n").filter((line) => /секрет|anna/i.test(line));

  it("is unchanged for the same visitor: the chat, the draft and the focus", async () => {
    await page.click("Сообщение");
    await page.type("Черновик");
    await comeBack("anna");
    await page.showsTexts(".bubble", "Секрет Анны");
    expect(await page.focusedName()).toBe("Сообщение");
    await page.type(" дальше");
    expect(await page.evaluate(pageContents)).toContain("\nЧерновик дальше\n");
    await page.press("Enter");
    await page.showsTexts(".bubble", "Секрет Анны", "Черновик дальше");
    expect(await page.errors()).toEqual([]);
  });

  it("contains nothing of the previous visitor after another one has signed in, even while an answer is being written", async () => {
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Секрет в ответе" };
      await new Promise(() => undefined);
    };
    await page.ask("Секрет пиши");
    await page.showsTexts(".answer", "Ответ на «Секрет Анны».", "Секрет в ответе");
    await page.click("Сообщение");
    await page.type("Секрет в черновике");
    await comeBack("boris");
    await page.shows("Новый чат");
    await page.until(traces, []);
    site.script.answer = () => [{ type: "text-delta", delta: "Здравствуйте, Борис." }];
    await page.converse("Вопрос Бориса");
    await page.showsTexts(".bubble", "Вопрос Бориса");
    expect(await traces()).toEqual([]);
  });

  it("shows nothing of a visitor who has signed out, and restores their draft when they sign in again", async () => {
    await page.click("Сообщение");
    await page.type("Секрет в черновике");
    await page.until(() => driver.run("return sessionStorage.length > 0"), true);
    await comeBack("nobody");
    await page.shows("Повторить");
    expect(await page.evaluate(() => document.querySelector("nitka-chat")?.shadowRoot?.innerHTML)).not.toMatch(
      /секрет/i,
    );
    await driver.run(`localStorage.setItem("shop-user", "anna")`);
    await page.click("Повторить");
    await page.showsTexts(".bubble", "Секрет Анны");
    await page.until(async () => (await page.evaluate(pageContents)).includes("\nСекрет в черновике\n"), true);
  });
});
