import { readFile } from "node:fs/promises";
import { core, expect, test } from "../fixtures.ts";

const table = "| Город | Цена |\n| --- | --- |\n| Москва | **10** |\n| Тверь | =1+1 |\n\nКонец.";

test(
  "a table is copied as a table and saved as CSV, by pointer and by keyboard",
  core,
  async ({ chat, page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await chat.seed({ title: "Разговор", turns: [["Вопрос", table]] });
    await chat.open();
    await chat.answers.last().locator("table").hover();
    await chat.button("Копировать таблицу").click();
    const copied = async (type: string) =>
      page.evaluate(async (form) => {
        const [item] = await navigator.clipboard.read();
        return (await item?.getType(form))?.text();
      }, type);
    await expect.poll(() => copied("text/plain")).toBe("Город\tЦена\nМосква\t10\nТверь\t=1+1");
    expect(await copied("text/html")).toContain("<td>Москва</td><td>10</td>");
    await page.keyboard.press("Tab");
    await expect(chat.button("Скачать CSV")).toBeFocused();
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(download.suggestedFilename()).toBe("таблица.csv");
    const text = await readFile(await download.path(), "utf8");
    expect(text).toBe("\uFEFFГород,Цена\r\nМосква,10\r\nТверь,'=1+1\r\n");
  },
);

test("the buttons of a table and of a long paste have the host's own texts, where it has some", async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await chat.seed({ title: "Разговор", turns: [["Вопрос", table]] });
  const words = `{ "table.copy": "Взять таблицу", "table.name": "цены", "paste.asFile": "Приложить текст" }`;
  await chat.open("/", { options: `{ target: "#chat", words: ${words} }` });
  await expect(chat.button("Взять таблицу")).toHaveCount(1);
  await chat.answers.last().locator("table").hover();
  const [download] = await Promise.all([page.waitForEvent("download"), chat.button("Скачать CSV").click()]);
  expect(download.suggestedFilename()).toBe("цены.csv");
  await page.evaluate((text) => navigator.clipboard.writeText(text), "Строка журнала.\n".repeat(300));
  await chat.composer.press("ControlOrMeta+v");
  await expect(chat.button("Приложить текст")).toBeVisible();
});

test("a table has no buttons while its answer is being written", async ({ chat, site }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: table };
    await promise;
  };
  await chat.open();
  await chat.ask("Таблица");
  await expect(chat.answers.last().locator("td")).toHaveCount(4);
  await expect(chat.button("Копировать таблицу")).toHaveCount(0);
  const height = async () => (await chat.answers.last().locator(".table-scroll").boundingBox())?.height;
  const before = await height();
  resolve();
  await expect(chat.button("Копировать таблицу")).toHaveCount(1);
  expect(await height()).toBe(before);
});

test("an answer is regenerated with another model, and the chosen one stays", async ({ chat, page }) => {
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
    model: "scripted",
  });
  const asked: { readonly trigger?: string; readonly model?: string }[] = [];
  await page.route(/run\/stream/, (route, request) => {
    if (request.method() !== "POST") return route.continue();
    asked.push(request.postDataJSON());
    // The server has one model.
    return route.continue({ postData: request.postData()?.replace('"other"', '"scripted"') ?? "" });
  });
  await chat.open();
  await chat.converse("Вопрос");
  await chat.root.getByRole("button", { name: "Сгенерировать заново другой моделью" }).press("Enter");
  await expect(chat.root.getByRole("menuitemradio", { name: "Быстрая" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(chat.root.getByText("2 / 2")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await chat.button("Сгенерировать заново").click();
  await expect(chat.root.getByText("3 / 3")).toBeVisible();
  const [first, second, third] = asked;
  expect(first?.model).toBe("scripted");
  expect(second).toMatchObject({ trigger: "regenerate-message", model: "other" });
  expect(third).toMatchObject({ trigger: "regenerate-message", model: "scripted" });
});

test("a truncated title is shown in full for the pointer and the focus", async ({ chat, page }) => {
  const long = "Частнопредпринимательский вопрос о доставке в отдалённые районы Крайнего Севера и на острова";
  await chat.seed({ title: long, turns: [["Вопрос", "Ответ"]] }, { title: "Короткий", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await chat.rowLink(long).hover();
  await expect(chat.tooltip(long)).toBeVisible();
  await page.mouse.move(700, 300);
  await expect(chat.tooltip(long)).toBeHidden();
  await chat.rowLink("Короткий").hover();
  await page.waitForTimeout(1000);
  await expect(chat.tooltip("Короткий")).toBeHidden();
});
