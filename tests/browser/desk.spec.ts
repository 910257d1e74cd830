import { readFileSync } from "node:fs";
import { MARKUP, test } from "./desk-page.ts";
import { expect } from "./fixtures.ts";

test.describe("the operators' desk", () => {
  // The tests run in one worker, because they share a program that they only read.
  test.describe.configure({ mode: "default" });

  test("lets in who has the key, and nobody else", async ({ desk, page, console }) => {
    console.allow(/401/);
    await desk.enter("not the key of anything");
    await expect(page.getByRole("alert")).toHaveText("Ключ не подошёл.");
    await expect(page.getByRole("table")).toHaveCount(0);
    await expect(page.getByLabel("Ключ")).toBeFocused();
    await desk.enter();
    await expect(desk.rows).toHaveCount(3);
    await page.reload();
    await expect(desk.rows).toHaveCount(3);
    await page.getByRole("button", { name: "Выйти" }).click();
    await expect(page.getByLabel("Ключ")).toBeFocused();
    await page.reload();
    await expect(page.getByLabel("Ключ")).toBeVisible();
  });

  test("lists answers, filters them, and shows what visitors wrote as text", async ({ desk, page }) => {
    await desk.enter();
    await expect(desk.rows.nth(0)).toContainText("Ошибка");
    await expect(desk.rows.nth(2)).toContainText(MARKUP);
    await expect(desk.rows.nth(2)).toContainText(/Готов.*\d+\s→\s\d+.*\d\s\$/);
    await page.getByLabel("Итог").focus();
    await page.getByLabel("Итог").selectOption("Ошибка");
    await expect(desk.rows).toHaveCount(1);
    await expect(page.getByLabel("Итог")).toBeFocused();
    await page.getByLabel("Итог").selectOption("Любой");
    await page.getByLabel("Проект").selectOption("Черепок");
    await expect(desk.rows).toHaveCount(1);
    await expect(desk.rows).toContainText("shop");
    await page.goBack();
    await expect(desk.rows).toHaveCount(3);
    await page.getByLabel("По", { exact: true }).fill("2020-01-31");
    await expect(page.getByText("За эти дни ничего не нашлось.")).toBeVisible();
    await expect(page.getByLabel("С", { exact: true })).toHaveValue("2020-01-31");
    await page.getByLabel("С", { exact: true }).fill("2019-01-01");
    await expect(page.getByLabel("По", { exact: true })).toHaveValue("2019-04-02");

    await desk.open("По дням");
    await expect(desk.rows).toHaveCount(2);
    await expect(desk.rows.filter({ hasText: "default" }).getByRole("cell")).toContainText(["", "default", "2", "1"]);
    await desk.open("Отзывы");
    await expect(desk.rows).toHaveCount(1);
    await expect(desk.rows).toContainText(`Нет ветра ${MARKUP}`);
    await expect(page).toHaveTitle("Отзывы — Пульт");
    await desk.open("Знания");
    await expect(page.getByText("Ни у одного проекта нет поля knowledge")).toBeVisible();
    await expect(page).toHaveTitle("Знания — Пульт");
  });

  test("shows what is known of the pages, what was not read, and alike questions that nobody knew as one line", async ({
    desk,
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const asked = {
      projectId: "default",
      threadId: "t",
      messageId: "m",
      reason: "uncited",
      at: "2026-11-21T12:00:00Z",
    };
    const offered = [{ url: "https://shop.example/delivery#moscow", title: "Доставка" }];
    const sites = [
      {
        projectId: "default",
        sources: [{ source: "sitemap https://shop.example/sitemap.xml", pages: 120, passages: 1480 }],
        lastReading: {
          endedAt: "2026-11-21T10:00:00Z",
          failed: [{ url: "https://shop.example/old", reason: "The server returns 500." }],
          unread: [],
        },
      },
    ];
    const unanswered = [
      { ...asked, id: "1", question: "Сколько идёт посылка в Уфу?", passages: offered },
      { ...asked, id: "2", question: "посылка в Уфу сколько идёт", passages: [] },
      { ...asked, id: "3", question: "Кто ваш директор?", reason: "nothing_found", passages: [] },
    ];
    await page.route("**/knowledge", (route) => route.fulfill({ json: { sites, unanswered } }));
    await desk.enter();
    await desk.open("Знания");
    await expect(page.getByRole("table").first()).toContainText("sitemap https://shop.example/sitemap.xml1201 480");
    await page.getByText("Не прочитано: 1").click();
    await expect(page.getByText("https://shop.example/old: The server returns 500.")).toBeVisible();
    const rows = page.getByRole("table").last().locator("tbody tr");
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText(/Сколько идёт посылка в Уфу\?2Ответ без источников/);
    const copied = async (index: number) => {
      await rows.nth(index).getByRole("button").click();
      await expect(rows.nth(index).getByRole("button")).toHaveText("Скопировано");
      return JSON.parse(await page.evaluate(async () => navigator.clipboard.readText())) as unknown;
    };
    const urls = ["https://shop.example/delivery"];
    expect(await copied(0)).toEqual({ question: "Сколько идёт посылка в Уфу?", urls });
    expect(await copied(1)).toEqual({ question: "Кто ваш директор?", refuse: true });
  });

  test("opens a conversation, which can only be read", async ({ desk, page }) => {
    await desk.enter();
    await desk.rows.getByRole("link", { name: MARKUP }).click();
    await expect(page.getByRole("heading", { name: MARKUP })).toBeVisible();
    await expect(desk.answer).toContainText("В Сан-Франциско сегодня");
    await expect(page.getByText(`Нет ветра ${MARKUP}`)).toBeVisible();
    for (const name of ["Редактировать", "Сгенерировать заново", "Отправить", "Новый чат", "Боковая панель"]) {
      await expect(page.getByRole("button", { name })).toHaveCount(0);
    }
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect.poll(desk.output).toContain("an operator opened a conversation");
  });

  test("replays an answer, exports it, and replays the file without a model", async ({ desk, page, console }) => {
    console.allow(/422/);
    await desk.enter();
    await desk.rows.getByRole("link", { name: "Пример кода" }).click();
    // Until the markdown code has loaded, the source is shown.
    await expect(desk.answer).toContainText("debounce");
    await expect(desk.answer).not.toContainText("```");
    // A recording has no times.
    const shown = async () => (await desk.answer.innerText()).replace(/\s*(?:\d\d:\d\d)?\s*$/, "");
    const whole = await shown();
    await page.getByLabel("Скорость").selectOption("сразу целиком");
    await page.getByRole("button", { name: "Проиграть ответ" }).click();
    await expect(page.getByRole("status").filter({ hasText: "как он писался" })).toBeVisible();
    await expect.poll(shown).toBe(whole);
    await expect.poll(desk.output).toContain("an operator replayed an answer");

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Скачать запись" }).click();
    const file = await (await download).path();
    expect(readFileSync(file, "utf8")).toMatch(/^data: \{"type":"start".*\n\ndata: \[DONE\]\n\n$/s);

    await desk.open("Запись");
    await page
      .getByLabel("Файл")
      .setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
    await expect(page.getByRole("alert")).toHaveText("В файле нет событий потока: нужна запись ответа.");
    await page.getByLabel("Файл").setInputFiles(file);
    await expect.poll(shown).toBe(whole);
  });

  test("has the commands that give out and delete a visitor's data, and its lists as tables", async ({
    desk,
    page,
  }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(desk.url).origin });
    await desk.enter();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Скачать CSV" }).click();
    const file = await (await download).path();
    expect(readFileSync(file, "utf8").trim().split("\r\n")).toHaveLength(4);
    await desk.rows.getByRole("link", { name: "Пример кода" }).click();
    const visitor = page.locator("details").filter({ hasText: "Посетитель" });
    const id = await visitor.getByRole("code").first().innerText();
    await visitor.locator("summary").press("Enter");
    await expect(visitor.getByText(`nitka export --visitor ${id} --project shop > visitor.json`)).toBeVisible();
    await visitor.getByRole("button", { name: "nitka purge" }).click();
    await expect(visitor.getByText("Скопировано")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `nitka purge --visitor ${id} --project shop`,
    );
    await expect.poll(desk.output).toContain("an operator exported the list of answers");
  });

  test.describe("in a browser that is not Russian", () => {
    test.use({ locale: "en-GB" });

    test("is in English, conversations too, until another language is chosen", async ({ desk, page }) => {
      await page.goto(desk.url);
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await page.getByLabel("Key").fill("a key of sixteen letters");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page).toHaveTitle("Answers — Desk");
      await expect(desk.rows.nth(0)).toContainText("Error");
      await desk.rows.getByRole("link", { name: "Пример кода" }).click();
      await expect(page.getByRole("article", { name: "Assistant:" })).toContainText("debounce");
      for (const name of ["Edit", "Regenerate", "Send"]) {
        await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
      }
      await page.getByRole("button", { name: "Русский" }).click();
      await expect(page.locator("html")).toHaveAttribute("lang", "ru");
      await expect(desk.answer).toContainText("debounce");
      await page.reload();
      await expect(page.getByRole("navigation", { name: "Разделы" })).toBeVisible();
    });
  });
});
