import type { Page } from "@playwright/test";
import { gate } from "../backend.ts";
import { ChatPage } from "../chat-page.ts";
import { core, expect, test } from "../fixtures.ts";
import { announcedIn, recordAnnouncements } from "../screen-reader.ts";

const day = (index: number) => new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString();

/** Threads of a list, newest first. */
function threads(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    threadId: `t${index}`,
    title: index === 3 ? "Погода в Частнопредпринимательском" : `Разговор ${index}`,
    updatedAt: day(index),
  }));
}

const hits = [
  {
    threadId: "t7",
    title: "Разговор 7",
    updatedAt: day(7),
    match: "…сегодня погоды <b>нет</b>, а завтра погода будет…",
  },
  { threadId: "t3", title: "Погода в Частнопредпринимательском", updatedAt: day(3) },
];

/** A page whose list has threads, and whose backend supports searching. */
async function openList(chat: ChatPage, count: number, features: object = { search: true }): Promise<void> {
  await chat.config({ features });
  await chat.stub("GET", /\/api\/debug\/threads$/, { json: threads(count) });
  await chat.stub("GET", /\/messages$/, { json: [] });
  await chat.open();
  await expect(chat.threads).toHaveCount(count);
}

/** Answers searches. Returns the queries that were asked. */
async function answerSearches(page: Page, answer: (query: string) => Promise<object> | object): Promise<string[]> {
  const queries: string[] = [];
  await page.route(/\/api\/debug\/threads\?query=/, async (route) => {
    const query = new URL(route.request().url()).searchParams.get("query") ?? "";
    queries.push(query);
    await route.fulfill(await answer(query));
  });
  return queries;
}

const field = (chat: ChatPage) => chat.sidebar.getByRole("searchbox", { name: "Поиск по чатам" });
const found = (chat: ChatPage) => chat.sidebar.getByRole("list", { name: "Найденные чаты" }).getByRole("listitem");

test("a list is searched from 30 threads on, where the backend searches and the visitor has agreed", async ({
  chat,
  page,
  console,
}) => {
  // The server does not have the threads of the list.
  console.allow(/404/);
  await openList(chat, 30);
  await expect(field(chat)).toBeVisible();
  await test.step("a field that is there stays, so that the rows do not jump when a thread is deleted", async () => {
    const placeOf = async (title: string) => (await chat.rowLink(title).boundingBox())?.y;
    const before = await placeOf("Разговор 1");
    await chat.rowLink("Разговор 5").hover();
    await chat.root.getByRole("button", { name: "Удалить чат: Разговор 5" }).click();
    await expect(chat.threads).toHaveCount(29);
    await expect(field(chat)).toBeVisible();
    expect(await placeOf("Разговор 1")).toBe(before);
  });
  await test.step("29 threads are seen at a glance", async () => {
    await chat.stub("GET", /\/api\/debug\/threads$/, { json: threads(29) });
    chat.site.files.served.splice(0);
    await page.reload();
    await expect(chat.threads).toHaveCount(29);
    // This code loads after the view.
    await page.waitForLoadState("networkidle");
    expect(chat.site.files.served.filter((path) => path.includes("thread-search"))).toEqual([]);
    await expect(field(chat)).toHaveCount(0);
  });
  await test.step("a backend without search is asked for none", async () => {
    await openList(chat, 40, { resume: true });
    await expect(field(chat)).toHaveCount(0);
  });
  await test.step("what is written before the visitor agrees would leave the page", async () => {
    await chat.config({ features: { search: true }, consent: { text: "Согласен", version: "1" } });
    await page.reload();
    await expect(chat.threads).toHaveCount(40);
    await expect(chat.root.getByText("Согласен", { exact: true })).toBeVisible();
    await expect(field(chat)).toHaveCount(0);
  });
});

test(
  "the found threads replace the list, with the found words marked and the number of threads announced",
  core,
  async ({ chat, page }) => {
    await recordAnnouncements(page);
    const queries = await answerSearches(page, () => ({ json: hits }));
    await openList(chat, 40);
    await field(chat).pressSequentially("погода ");
    await expect(found(chat)).toHaveText([
      /^Разговор 7…сегодня погоды <b>нет<\/b>/,
      "Погода в Частнопредпринимательском",
    ]);
    expect(queries).toEqual(["погода"]);
    await expect(found(chat).locator("mark")).toHaveText(["погоды", "погода", "Погода"]);
    await expect(found(chat).locator("b")).toHaveCount(0);
    await expect(chat.rowLink("Разговор 1")).toBeHidden();
    await expect.poll(() => announcedIn(page)).toContain("Найдено 2 чата.");

    await test.step("a hit that is opened keeps the search", async () => {
      await found(chat).first().getByRole("button").click();
      await expect(chat.title).toHaveText("Разговор 7");
      await expect(field(chat)).toHaveValue("погода ");
      await expect(found(chat).locator("[aria-current=page]")).toHaveText(/Разговор 7/);
    });
    await test.step("the button empties the field, and the list is there as before", async () => {
      await chat.button("Очистить поиск").click();
      await expect(field(chat)).toBeFocused();
      await expect(chat.threads).toHaveCount(40);
      await expect(chat.threads.first()).toHaveText(/Разговор 0/);
      await expect(chat.threads.locator("[aria-current]")).toHaveText("Разговор 7");
    });
    expect(queries).toEqual(["погода"]);
  },
);

test(
  "only the response to the last query counts, and the previous results stay until then",
  core,
  async ({ chat, page }) => {
    const slow = gate();
    const last = gate();
    const queries = await answerSearches(page, async (query) => {
      if (query === "медленно") await slow.opened;
      if (query === "медленно2") await last.opened;
      return { json: [{ threadId: "old", title: `Ответ на ${query}`, updatedAt: day(400) }] };
    });
    await openList(chat, 40);
    await field(chat).fill("сразу");
    await expect(found(chat)).toHaveText(["Ответ на сразу"]);
    await field(chat).fill("медленно");
    await expect.poll(() => queries).toEqual(["сразу", "медленно"]);
    await expect(found(chat)).toHaveText(["Ответ на сразу"]);
    await field(chat).fill("медленно2");
    await expect.poll(() => queries).toHaveLength(3);
    slow.open();
    await page.waitForResponse(/query=/);
    await expect(found(chat)).toHaveText(["Ответ на сразу"]);
    last.open();
    await expect(found(chat)).toHaveText(["Ответ на медленно2"]);
  },
);

test("a search that finds nothing says so, one that fails can be repeated, and a slow one shows that it goes on", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/Failed to load resource/);
  await recordAnnouncements(page);
  const held = gate();
  let status = 500;
  await answerSearches(page, async (query) => {
    if (query === "долго") await held.opened;
    return status === 500 && query === "сбой" ? { status, body: "сломано" } : { json: query === "сбой" ? hits : [] };
  });
  await openList(chat, 40);
  await field(chat).fill("нет такого");
  await expect(chat.sidebar.getByText("Ничего не нашлось.")).toBeVisible();
  await expect.poll(() => announcedIn(page)).toContain("Ничего не нашлось.");

  await field(chat).fill("сбой");
  await expect(chat.sidebar.getByText("Не удалось выполнить поиск.")).toBeVisible();
  status = 200;
  await chat.sidebar.getByRole("button", { name: "Повторить" }).click();
  await expect(found(chat)).toHaveCount(2);
  await expect(field(chat)).toBeFocused();

  await field(chat).fill("");
  await field(chat).fill("долго");
  await expect(chat.sidebar.locator(".search-results .skeleton").first()).toBeVisible();
  held.open();
  await expect(chat.sidebar.getByText("Ничего не нашлось.")).toBeVisible();
});

test("arrows, Home, End, Enter and Escape operate the search", async ({ chat, page }) => {
  await answerSearches(page, () => ({ json: hits }));
  await openList(chat, 40);
  await field(chat).fill("погода");
  await expect(found(chat)).toHaveCount(2);
  const hit = (index: number) => found(chat).nth(index).getByRole("button");
  await page.keyboard.press("ArrowDown");
  await expect(hit(0)).toBeFocused();
  await page.keyboard.press("End");
  await expect(hit(1)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(hit(1)).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await expect(field(chat)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.title).toHaveText("Разговор 7");
  await expect(field(chat)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(field(chat)).toBeFocused();
  await expect(field(chat)).toHaveValue("");
  await expect(chat.threads).toHaveCount(40);
});

test("on a phone the search is kept while the sheet is closed, and Escape empties the field first", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await answerSearches(page, () => ({ json: hits }));
  await chat.config({ features: { search: true } });
  await chat.stub("GET", /\/api\/debug\/threads$/, { json: threads(40) });
  await chat.stub("GET", /\/messages$/, { json: [] });
  await chat.open();
  await chat.sidebarToggle.click();
  await field(chat).fill("погода");
  await found(chat).nth(1).getByRole("button").click();
  await expect(chat.sidebar).toBeHidden();
  await expect(chat.title).toHaveText("Погода в Частнопредпринимательском");
  await chat.sidebarToggle.click();
  await expect(field(chat)).toHaveValue("погода");
  await expect(found(chat)).toHaveCount(2);
  await field(chat).press("Escape");
  await expect(field(chat)).toHaveValue("");
  await expect(chat.sidebar).toBeVisible();
  await field(chat).press("Escape");
  await expect(chat.sidebar).toBeHidden();
});

test("a chat that was deleted in another tab leaves what was found when it is opened", async ({
  chat,
  page,
  site,
  context,
  console,
}) => {
  console.allow(/404/);
  const said = [["Погода?", "Ясно"]] as const;
  const asked = Array.from({ length: 31 }, (_, index) => ({ title: `Чат ${index}`, turns: index > 28 ? said : [] }));
  await chat.seed(...asked);
  await chat.open();
  const other = new ChatPage(await context.newPage(), site);
  await other.open();
  await page.bringToFront();
  await field(chat).fill("ясно");
  await expect(found(chat)).toHaveText([/^Чат 30/, /^Чат 29/]);
  await other.rowLink("Чат 29").hover();
  await other.button("Удалить чат", other.row("Чат 29")).click();
  await expect(other.rowLink("Чат 29")).toHaveCount(0);
  await found(chat).last().getByRole("button").press("Enter");
  await expect(found(chat)).toHaveText([/^Чат 30/]);
  await expect(chat.composer).toBeFocused();

  await test.step("also one that this tab has never listed: the search is asked again", async () => {
    const gone = { threadId: "gone", title: "Давний", updatedAt: day(900) };
    const queries = await answerSearches(page, () => ({ json: queries.length === 1 ? [gone] : [] }));
    await field(chat).fill("давний");
    await expect(found(chat)).toHaveText(["Давний"]);
    await found(chat).first().getByRole("button").click();
    await expect(chat.sidebar.getByText("Ничего не нашлось.")).toBeVisible();
    expect(queries).toEqual(["давний", "давний"]);
  });
});

test("our server finds what was said, in another form and in no other visitor's threads", async ({ chat, browser }) => {
  const old = (index: number) => new Date(Date.UTC(2026, 0, 1) - index * 86_400_000);
  const asked = Array.from({ length: 31 }, (_, index) => ({ title: `Разговор ${index}`, at: old(index) }));
  const delivery = [["Когда привезут?", "Курьер **доставит** заказы завтра."]] as const;
  await chat.seed({ title: "О погоде", at: old(40), turns: delivery }, ...asked);
  await chat.open();
  await field(chat).fill("заказ завт");
  await expect(found(chat)).toHaveText(/^О погоде.*доставит.*заказы завтра/);
  await expect(found(chat).locator("mark")).toHaveText(["заказы", "завтра"]);
  await found(chat).first().getByRole("button").click();
  await expect(chat.answerTexts).toHaveText([/доставит заказы завтра/]);
  const another = await browser.newContext();
  const response = await another.request.get(
    `${chat.site.origin}/api/debug/threads?query=${encodeURIComponent("заказы")}`,
  );
  expect(await response.json()).toEqual([]);
  await another.close();
});
