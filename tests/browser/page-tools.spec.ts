/** Tools of the page, approvals and the page's context, with real requests and streams. */
import { readFileSync } from "node:fs";
import { gate, textEvents } from "./backend.ts";
import type { ChatPage } from "./chat-page.ts";
import { expect, test } from "./fixtures.ts";
import { callPage, callServer, watchToolAnswers } from "./visitor-calls.ts";

/** A page with a tool `cart_add` that counts its runs. `more` adds fields to the tool. */
const shop = (more = "") => ({
  script: `
    window.runs = [];
    window.chat = Nitka.init({ target: "#chat", tools: {
      cart_add: {
        description: "Adds to the cart", parameters: { type: "object" }, ${more}
        execute(args, call) { runs.push(args); return window.answerTool ? window.answerTool(args, call) : { items: runs.length } },
      },
    } });`,
});
const runs = ({ page }: ChatPage) => page.evaluate(() => (window as unknown as { runs: unknown[] }).runs.length);

/** Opens such a page, whose assistant calls the tool. Returns what the page sends to the server. */
async function begin(chat: ChatPage, more = ""): Promise<readonly string[]> {
  const told = watchToolAnswers(chat.page);
  chat.site.script.answer = async function* ({ visitor }) {
    yield* callPage(visitor, { toolName: "cart_add", input: { sku: "кружка", count: 2 } });
    yield* textEvents("Готово.");
  };
  await chat.open("/", shop(more));
  return told;
}

test("a tool of the page runs once and its output becomes the result", async ({ chat }) => {
  const told = await begin(chat);
  await chat.converse("Добавь две кружки");
  await expect(chat.answerTexts).toContainText(["Готово."]);
  await expect.poll(() => told).toEqual(['{"claim":""}', '{"output":{"items":1}}']);
  await chat.answers.getByRole("button", { name: /^Used tool/ }).click();
  await expect(chat.answers.getByText('"items": 1')).toBeVisible();
});

test("the page's context and its tools go with each question", async ({ chat, page }) => {
  await chat.config({ features: { resume: true, cancel: true, clientTools: true, pageContext: true } });
  await chat.open("/", {
    script: `
      let cart = 0;
      window.chat = Nitka.init({ target: "#chat", pageContext: async () => ({ cart: cart += 1 }), tools: {
        look: { description: "Looks", parameters: { type: "object" }, execute: () => 1 } } });`,
  });
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/run/stream") && request.method() === "POST") bodies.push(request.postDataJSON());
  });
  await chat.converse("Раз");
  await chat.converse("Два");
  const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
  expect(bodies).toMatchObject([
    { pageContext: { cart: 1 }, tools },
    { pageContext: { cart: 2 }, tools },
  ]);
  // A new value counts from the next question on, without a restart.
  await chat.composer.fill("Черновик");
  await page.evaluate(() => {
    const element = document.querySelector("nitka-chat") as unknown as Record<string, unknown>;
    element["pageContext"] = { cart: "пусто" };
    element["tools"] = {};
  });
  await expect(chat.composer).toHaveValue("Черновик");
  await chat.converse("Три");
  expect(bodies[2]).toMatchObject({ pageContext: { cart: "пусто" } });
  expect(Object.keys(bodies[2] as object)).not.toContain("tools");
});

test("of two pages one runs the tool, and the other shows that it runs elsewhere", async ({ chat, context, site }) => {
  await begin(chat);
  const hold = gate();
  await chat.page.exposeFunction("hold", () => hold.opened);
  await chat.page.evaluate(() => {
    const host = window as unknown as Record<string, () => Promise<unknown>>;
    host["answerTool"] = () => Promise.resolve(host["hold"]?.()).then(() => "да");
  });
  await chat.ask("Добавь");
  await expect.poll(() => runs(chat)).toBe(1);
  const second = await context.newPage();
  const other = new (chat.constructor as typeof ChatPage)(second, site);
  await second.goto(chat.page.url());
  await expect(other.answers.getByText("выполняется в\u00a0другой вкладке")).toBeVisible();
  expect(await runs(other)).toBe(0);
  hold.open();
  await expect(other.answerTexts).toContainText(["Готово."]);
  await chat.idle();
  expect(await runs(chat)).toBe(1);
  await second.close();
});

test("a reload in the middle of a tool does not run it again, unless it is repeatable", async ({ chat, console }) => {
  // The claim of the reloaded page is refused.
  console.allow(/409/);
  for (const [more, expected] of [
    ["", 0],
    ["repeatable: true,", 1],
  ] as const) {
    const told = await begin(chat, more);
    await chat.page.evaluate(() => {
      (window as unknown as Record<string, unknown>)["answerTool"] = () => new Promise(() => undefined);
    });
    await chat.newThreadButton.click();
    await expect(chat.root.getByRole("heading", { name: "Привет!" })).toBeVisible();
    await chat.ask("Добавь");
    await expect.poll(() => runs(chat)).toBe(1);
    await chat.page.reload();
    if (expected === 0) {
      await expect(chat.answers.getByText("выполняется в\u00a0другой вкладке")).toBeVisible();
      expect(await runs(chat)).toBe(0);
      await chat.stopButton.click();
    }
    await expect.poll(() => runs(chat)).toBe(expected);
    await chat.idle();
    await expect.poll(() => told.filter((text) => text.startsWith('{"output"'))).toHaveLength(expected);
  }
});

test("stop in the middle of a tool aborts it", async ({ chat, page }) => {
  await begin(chat);
  await page.evaluate(() => {
    const host = window as unknown as Record<string, unknown>;
    host["answerTool"] = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener("abort", () => (host["aborted"] = true));
      return new Promise(() => undefined);
    };
  });
  await chat.ask("Добавь");
  await expect.poll(() => runs(chat)).toBe(1);
  await chat.stopButton.click();
  await chat.idle();
  expect(await page.evaluate(() => (window as unknown as Record<string, unknown>)["aborted"])).toBe(true);
  await expect(chat.answerTexts).toContainText(["Ответ остановлен."]);
});

test("a connection that is cut in the middle of a tool changes nothing", async ({ chat, console, site }) => {
  console.allow(/ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const told = await begin(chat);
  const hold = gate();
  await chat.page.exposeFunction("hold", () => hold.opened);
  await chat.page.evaluate(() => {
    const host = window as unknown as Record<string, () => Promise<unknown>>;
    host["answerTool"] = () => Promise.resolve(host["hold"]?.()).then(() => "да");
  });
  await chat.ask("Добавь");
  await expect.poll(() => runs(chat)).toBe(1);
  expect(site.dropStreams()).toBe(1);
  hold.open();
  await chat.idle();
  await expect(chat.answerTexts).toContainText(["Готово."]);
  await expect.poll(async () => [await runs(chat), told]).toEqual([1, ['{"claim":""}', '{"output":"да"}']]);
});

test("an answer that the network loses is sent again, and counts once", async ({ chat, console, page }) => {
  console.allow(/ERR_FAILED/);
  const told = await begin(chat);
  let lost = 0;
  await page.route("**/run/tool", async (route) => {
    if (!(route.request().postData() ?? "").includes("output") || lost > 0) return route.fallback();
    lost += 1;
    return route.abort();
  });
  await chat.converse("Добавь");
  await expect(chat.answerTexts).toContainText(["Готово."]);
  await expect
    .poll(async () => [await runs(chat), lost, told])
    .toEqual([1, 1, ['{"claim":""}', '{"output":{"items":1}}']]);
});

const confirm = `title: "Добавить в корзину", confirm: "Положить две кружки в корзину?",`;

test("a tool that the visitor confirms asks first, and the visitor needs only the keyboard", async ({ chat, page }) => {
  const told = await begin(chat, confirm);
  await chat.ask("Добавь две кружки");
  const card = chat.answers.getByRole("group", { name: "Нужно ваше разрешение: Добавить в корзину" });
  await expect(card).toContainText("Положить две кружки в корзину?");
  await expect(card.getByRole("term")).toHaveText(["sku", "count"]);
  await expect(card.getByRole("definition")).toHaveText(["кружка", "2"]);
  await expect(chat.answers.getByText("Жду вашего решения")).toBeVisible();
  // The visitor keeps writing, and nothing takes the focus.
  await expect(chat.composer).toBeFocused();
  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("Escape");
  await expect(card).toBeVisible();
  await chat.button("Разрешить").focus();
  await page.keyboard.press("Tab");
  await expect(chat.button("Отклонить")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.composer).toBeFocused();
  await chat.idle();
  await expect(card).toHaveCount(0);
  await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toHaveText("Used tool cart_add разрешено");
  await expect
    .poll(async () => [await runs(chat), told])
    .toEqual([1, ['{"claim":""}', '{"approved":true}', '{"output":{"items":1}}']]);
});

test("a tool that the visitor denies does not run", async ({ chat }) => {
  const told = await begin(chat, confirm);
  await chat.ask("Добавь две кружки");
  await chat.button("Отклонить").click();
  await chat.idle();
  await expect(chat.answers.getByRole("button", { name: /^Used tool/ })).toHaveText("Used tool cart_add отклонено");
  await expect.poll(async () => [await runs(chat), told]).toEqual([0, ['{"approved":false}']]);
});

test("a decision in one page ends the question in the other", async ({ chat, context, site }) => {
  site.script.answer = async function* ({ visitor }) {
    yield* callServer(visitor, { toolName: "cancel_order", input: { order: 4521 } });
    yield* textEvents("Отменил.");
  };
  await chat.open();
  await chat.ask("Отмени заказ");
  await expect(chat.button("Разрешить")).toBeVisible();
  const second = await context.newPage();
  const told = watchToolAnswers(second);
  const other = new (chat.constructor as typeof ChatPage)(second, site);
  await second.goto(chat.page.url());
  await other.button("Разрешить").click();
  await expect(chat.answerTexts).toContainText(["Отменил."]);
  await expect(chat.button("Разрешить")).toHaveCount(0);
  await expect.poll(() => told).toEqual(['{"approved":true}']);
  await second.close();
});

test("a closed launcher says that the visitor is asked, and opens at the question", async ({ chat, page, site }) => {
  const told = watchToolAnswers(page);
  const late = gate();
  site.script.answer = async function* ({ visitor }) {
    yield* textEvents("Сейчас.");
    await late.opened;
    yield* callServer(visitor, { toolName: "cancel_order", input: { order: 4521 } });
  };
  await chat.goto("/", { options: `{ layout: "launcher" }`, body: `<main style="height: 100vh"></main>` });
  await chat.button("Открыть чат").click();
  await chat.ask("Отмени заказ");
  await expect(chat.answerTexts).toContainText(["Сейчас."]);
  await chat.button("Закрыть чат").first().click();
  late.open();
  const notice = chat.button("Нужно ваше разрешение: cancel_order");
  await expect(notice).toBeVisible();
  await expect(chat.button("Открыть чат. Есть непрочитанное сообщение").locator(".notice-mark")).toBeVisible();
  await notice.click();
  await chat.button("Отклонить").click();
  await chat.idle();
  await expect.poll(() => told).toEqual(['{"approved":false}']);
});

test("a link in an answer can be taken over by the page's router", async ({ chat, page, site }) => {
  site.script.answer = () => [
    ...textEvents("Вот [кружки](https://example.com/mugs) и [сноска][^1].\n\n[^1]: Текст."),
    { type: "source-url", sourceId: "s", url: "https://example.com/source", title: "Источник" },
  ];
  await chat.open();
  await chat.converse("Где кружки?");
  await page.evaluate(() => {
    const host = window as unknown as Record<string, string[]>;
    host["links"] = [];
    document.addEventListener("nitka-linkclick", (event) => {
      event.preventDefault();
      host["links"]?.push((event as CustomEvent<{ readonly href: string }>).detail.href);
    });
  });
  const opened: unknown[] = [];
  page.context().on("page", (popup) => opened.push(popup));
  await chat.answers.getByRole("link", { name: "кружки" }).click();
  await chat.answers.getByRole("button", { name: "1 источник" }).click();
  await chat.answers.getByRole("link", { name: /Источник/ }).click();
  expect(await page.evaluate(() => (window as unknown as Record<string, string[]>)["links"])).toEqual([
    "https://example.com/mugs",
    "https://example.com/source",
  ]);
  expect(opened).toEqual([]);
});

/** The code in a section of docs/extending.md. */
const snippet = (section: string) => {
  const [, text = ""] = guide.split(`\n## ${section}\n`);
  return /```js\n(.*?)```/s.exec(text)?.[1] ?? "";
};
const guide = readFileSync(new URL("../../docs/extending.md", import.meta.url), "utf8");

test("the examples of the guide work: context, a tool, and one that asks", async ({ chat, page, site }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/run/stream")) asked.push(request.postData() ?? "");
  });
  await chat.config({ features: { resume: true, cancel: true, clientTools: true, pageContext: true } });
  const shopScript = `window.shop = { cart: ["чайник"], add: (sku) => shop.cart.push(sku), checkout: () => shop.cart.length }; `;
  await chat.open("/", { script: shopScript + snippet("Context") });
  await chat.converse("Что в корзине?");
  expect(asked[0]).toContain('"pageContext":{"page":"/c/');
  expect(asked[0]).toContain('"cart":["чайник"]');

  site.script.answer = ({ visitor }) => callPage(visitor, { toolName: "cart_add", input: { sku: "кружка" } });
  await chat.open("/", { script: shopScript + snippet("Tools") });
  await chat.converse("Добавь кружку");
  expect(await page.evaluate("shop.cart")).toEqual(["чайник", "кружка"]);

  site.script.answer = ({ visitor }) => callPage(visitor, { toolName: "checkout" });
  await chat.open("/", { script: shopScript + snippet("Approval") });
  await chat.ask("Оформи");
  await expect(chat.answers.getByText("Оформить заказ?")).toBeVisible();
  await chat.button("Разрешить").click();
  await chat.idle();
  await expect(chat.answers.last().getByRole("button", { name: /^Used tool/ })).toHaveText(
    "Used tool checkout разрешено",
  );
});

test("the guide's example for routers takes over links of the page's own site", async ({ chat, page, site }) => {
  site.script.answer = () => textEvents(`Вот [кружки](${site.origin}/mugs).`);
  await chat.open();
  await page.evaluate(`window.visited = []; window.router = { go: (path) => visited.push(path) }; ${snippet("Links")}`);
  await chat.converse("Где кружки?");
  await chat.answers.getByRole("link", { name: "кружки" }).click();
  expect(await page.evaluate("visited")).toEqual(["/mugs"]);
});
