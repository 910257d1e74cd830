/** The option `renderers`: the page's own views in place of a message's parts. */
import { gate, textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";
import { call, containers, failures, input, log, LOGGING, openWith, output } from "../host-renderers.ts";
import { takeStock } from "../inventory.ts";

test("a tool call is drawn in the page's styles, in its place, and updated as its state changes", async ({
  chat,
  page,
  site,
}) => {
  const [streamed, whole, answered] = [gate(), gate(), gate()];
  site.script.answer = async function* () {
    yield* textEvents("До.", "t1");
    yield { type: "tool-input-start", ...call };
    yield { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: `{"id"` };
    await streamed.opened;
    yield { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: `:7}` };
    yield input;
    await whole.opened;
    yield output;
    yield* textEvents("После, и ещё несколько слов.", "t2");
    await answered.opened;
  };
  await openWith(chat, `{ "tool:order": updated }`);
  await chat.ask("Где заказ?");
  const own = page.locator("nitka-chat > .own");
  await expect(own).toHaveText(`["streaming",null,null]`);
  streamed.open();
  await expect(own).toHaveText(`["running",{"id":7},null]`);
  whole.open();
  await expect(own).toHaveText(`["done",{"id":7},{"sum":5}]`);
  answered.open();
  await chat.idle();
  // Each state once, however many frames the answer took.
  expect(await log(page)).toEqual([
    `call ["streaming",null,null]`,
    `update ["running",{"id":7},null]`,
    `update ["done",{"id":7},{"sum":5}]`,
  ]);
  await expect(own).toHaveCSS("color", "rgb(1, 2, 3)");
  const tops = await chat.answerTexts.evaluate((answer) => {
    const [before, after] = [...answer.querySelectorAll(".markdown")].map((text) => text.getBoundingClientRect().top);
    return [before, document.querySelector(".own")?.getBoundingClientRect().top, after];
  });
  expect(tops).toEqual(tops.toSorted((one, other) => Number(one) - Number(other)));
  await expect(chat.answers.getByText("Used tool")).toHaveCount(0);
});

test("a view without update is ended and called again, and ended for good with its message", async ({
  chat,
  page,
  site,
}) => {
  const held = gate();
  site.script.answer = async function* () {
    yield input;
    await held.opened;
    yield output;
  };
  await openWith(chat, `{ "tool:order": calledAnew }`);
  await chat.ask("Где заказ?");
  await expect(page.locator(".own")).toHaveText(/running/);
  held.open();
  await expect(page.locator(".own")).toHaveText(/done/);
  await chat.idle();
  await chat.newThreadButton.click();
  await expect(chat.messages).toHaveCount(0);
  await expect.poll(() => containers(page)).toBe(0);
  expect(await log(page)).toEqual([
    `call ["running",{"id":7},null]`,
    `end ["running",{"id":7},null]`,
    `call ["done",{"id":7},{"sum":5}]`,
    `end ["done",{"id":7},{"sum":5}]`,
  ]);
});

test("the page's own content is shown by its renderer, replaced by its id, and kept in the history", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = () => [
    { type: "data-order", id: "o1", data: { sum: 5 } },
    { type: "data-order", id: "o1", data: { sum: 7 } },
    { type: "data-secret", data: "никто этого не покажет" },
    ...textEvents("Готово."),
  ];
  await openWith(chat, `{ "data:order": updated }`);
  await chat.converse("Заказ");
  await expect(page.locator(".own")).toHaveText(`{"sum":7}`);
  await page.reload();
  await expect(page.locator(".own")).toHaveText(`{"sum":7}`);
  expect(await log(page)).toEqual([`call {"sum":7}`]);
});

test("content without a renderer takes no room", async ({ chat, site }) => {
  site.script.answer = ({ text }) => [
    ...textEvents("Раз.", "t1"),
    ...(text === "С данными" ? [{ type: "data-order", data: {} }] : []),
  ];
  await chat.open();
  await chat.converse("Без данных");
  await chat.converse("С данными");
  const heights = await chat.answerTexts.evaluateAll((all) => all.map((answer) => answer.clientHeight));
  expect(heights[0]).toBe(heights[1]);
  await expect(chat.failures).toHaveCount(0);
});

test("code is passed while it is written, and is complete at its closing fence", async ({ chat, page, site }) => {
  const [half, whole] = [gate(), gate()];
  site.script.answer = async function* () {
    yield { type: "text-delta", id: "t", delta: "Вот:\n\n```Mermaid\ngraph TD\n" };
    await half.opened;
    yield { type: "text-delta", id: "t", delta: "A-->B\n```\n\nи ещё" };
    await whole.opened;
  };
  await openWith(
    chat,
    `{ "code:mermaid": (container, { language, text, complete }) => {
      log.push([language, text, complete].join("|"));
      container.className = "own";
      container.textContent = complete ? "готово: " + text : "пишется";
    } }`,
  );
  await chat.ask("Схема");
  await expect(page.locator(".own")).toHaveText("пишется");
  half.open();
  await expect(page.locator(".own")).toHaveText("готово: graph TD\nA-->B");
  whole.open();
  await chat.idle();
  const calls = await log(page);
  expect(calls.slice(0, -1).every((line) => line.endsWith("|false"))).toBe(true);
  expect(calls.at(-1)).toBe("Mermaid|graph TD\nA-->B|true");
  await expect(chat.answers.locator(".code-block")).toHaveCount(0);
  await expect(chat.answerTexts).toContainText("и ещё");
});

test("views come and go with branches and threads", async ({ chat, page, site }) => {
  let sum = 0;
  site.script.answer = () => [{ type: "data-order", data: (sum += 1) }, ...textEvents("Готово.")];
  await openWith(chat, `{ "data:order": calledAnew }`);
  await chat.converse("Заказ");
  await chat.button("Сгенерировать заново").click();
  await expect(page.locator(".own")).toHaveText("2");
  await chat.idle();
  await chat.button("Предыдущий вариант").click();
  await expect(page.locator(".own")).toHaveText("1");
  await chat.newThreadButton.click();
  await expect(page.locator(".own")).toHaveCount(0);
  await chat.threads.last().locator(".thread-open").click();
  await expect(page.locator(".own")).toHaveText("1");
  expect(await log(page)).toEqual(["call 1", "end 1", "call 2", "end 2", "call 1", "end 1", "call 1"]);
});

test("renderers that are set later apply at once, and removed ones are replaced by our own view", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = () => [input, output];
  await openWith(chat, "undefined");
  await chat.converse("Где заказ?");
  await chat.composer.fill("Черновик");
  const set = (renderers: string) => page.evaluate(`void Object.assign(chat.element, { renderers: ${renderers} })`);
  await set(`{ "tool:order": updated }`);
  await expect(page.locator(".own")).toHaveText(/done/);
  await set(`{ "tool:order": updated, "data:x": updated }`);
  await set(`{ "tool:order": calledAnew }`);
  await expect.poll(() => log(page)).toHaveLength(3);
  await set("undefined");
  await expect(page.locator(".own")).toHaveCount(0);
  await expect(chat.answers.getByText("Used tool order")).toBeVisible();
  await expect(chat.composer).toHaveValue("Черновик");
  const shown = `["done",{"id":7},{"sum":5}]`;
  expect(await log(page)).toEqual([`call ${shown}`, `end ${shown}`, `call ${shown}`, `end ${shown}`]);
});

test("a view sends a question in its thread, and knows its place", async ({ chat, page, site }) => {
  site.script.answer = () => [input, output];
  await openWith(chat, `{ "tool:order": updated }`, `colorScheme: "dark"`);
  await chat.converse("Где заказ?");
  await chat.composer.fill("Черновик");
  const [, answer] = await chat.stored();
  expect(
    await page.evaluate(() => {
      const { threadId, messageId, locale, colorScheme } = Reflect.get(window, "api");
      return { threadId, messageId, locale, colorScheme };
    }),
  ).toEqual({ threadId: chat.threadId(), messageId: answer?.id, locale: "ru", colorScheme: "dark" });
  const sent = await page.evaluate(() => Reflect.get(window, "api").send("Отмени"));
  expect(sent).toMatchObject({ threadId: chat.threadId() });
  await expect(chat.questionTexts.last()).toHaveText("Отмени");
  await expect(chat.composer).toHaveValue("Черновик");
});

test("a view is drawn again in the colours that the page changes to", async ({ chat, page, site }) => {
  site.script.answer = () => [input, output];
  await openWith(
    chat,
    `{ "tool:order": (container, part, { colorScheme }) => void (container.className = "own", container.textContent = colorScheme) }`,
  );
  await chat.converse("Где заказ?");
  await expect(page.locator(".own")).toHaveText("light");
  await page.evaluate(() => window.chat.setColorScheme("dark"));
  await expect(page.locator(".own")).toHaveText("dark");
  await page.evaluate(() => window.chat.setColorScheme("auto"));
  await page.emulateMedia({ colorScheme: "light" });
  await expect(page.locator(".own")).toHaveText("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator(".own")).toHaveText("dark");
});

test("keys in a view belong to the page, and no shortcut of the widget applies", async ({ chat, page, site }) => {
  site.script.answer = () => [input, output];
  await openWith(
    chat,
    `{ "tool:order": (container) => {
      container.innerHTML = "<input class=own aria-label=Адрес data-tooltip=Чужая>";
      addEventListener("keydown", (event) => log.push(event.target.className + " " + event.key), { once: true });
    } }`,
  );
  await chat.converse("Где заказ?");
  const field = page.getByLabel("Адрес");
  await field.focus();
  await page.keyboard.press("a");
  await page.keyboard.press("Control+b");
  await expect(field).toHaveValue("a");
  expect(await log(page)).toEqual(["own a"]);
  await expect(chat.newThreadButton).toBeVisible();
  await chat.composer.press("b");
  expect(await log(page)).toEqual(["own a"]);
});

test("content that is too wide scrolls inside the view, and the thread keeps its width", async ({
  chat,
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  site.script.answer = () => [input, output];
  await openWith(
    chat,
    `{ "tool:order": (container) => { container.className = "own"; container.innerHTML = "<div style='width:900px'>широко</div>" } }`,
  );
  await chat.converse("Где заказ?");
  await expect(page.locator(".own")).toBeVisible();
  const widths = await chat.root.evaluate((element) => {
    const viewport = element.shadowRoot?.querySelector(".thread-viewport");
    const view = element.shadowRoot?.querySelector(".host-view");
    return [viewport?.scrollWidth, view && view.scrollWidth > view.clientWidth && view.clientWidth <= 320];
  });
  expect(widths).toEqual([320, true]);
});

test("destroy ends every view, whatever it is called from, and the page is as before", async ({ chat, page, site }) => {
  const count = await takeStock(page);
  site.script.answer = () => [input, output, ...textEvents("```mermaid\nA\n```")];
  await chat.goto("/", { head: `<script>${LOGGING}</script>`, script: "" });
  const before = await count();
  await page.evaluate(() => {
    const updated = Reflect.get(window, "updated");
    const renderers = { "tool:order": updated, "code:mermaid": updated };
    Object.assign(window, { chat: window.Nitka.init({ target: "#chat", renderers }) });
  });
  await chat.converse("Где заказ?");
  await expect(page.locator("nitka-chat > .own")).toHaveCount(2);
  await page.evaluate(() => window.chat.destroy());
  const now = async () => {
    const { storage: _storage, history: _history, listeners, ...rest } = await count();
    return { ...rest, listeners: listeners.filter((id) => id !== "#document selectionchange") };
  };
  const { storage: _storage, history: _history, ...rest } = before;
  await expect.poll(now).toEqual(rest);
  expect((await log(page)).filter((line) => line.startsWith("end"))).toHaveLength(2);
  await expect(page.evaluate(() => Reflect.get(window, "api").send("Ещё"))).rejects.toThrow("the widget is destroyed");
});

test("a renderer may destroy the widget", async ({ chat, page, site }) => {
  site.script.answer = () => [input, output];
  await openWith(chat, `{ "tool:order": () => chat.destroy() }`);
  await chat.composer.fill("Где заказ?");
  await chat.composer.press("Enter");
  await expect(chat.root).toHaveCount(0);
  expect(await failures(page)).toEqual([]);
});

test("an element that is moved keeps its views", async ({ chat, page, site }) => {
  site.script.answer = () => [input, output];
  await chat.open("/", {
    head: `<script>${LOGGING}</script>`,
    body: `<div id="chat"></div><div id="other" style="height: 100vh"></div>`,
    options: `{ target: "#chat", on, renderers: { "tool:order": updated } }`,
  });
  await chat.converse("Где заказ?");
  await page.evaluate(() => document.querySelector("#other")?.append(document.querySelector("nitka-chat") as Element));
  await expect(page.locator("#other .own")).toBeVisible();
  expect(await log(page)).toHaveLength(1);
});

test("views of messages that are far away are ended, and created again when they come back", async ({ chat, page }) => {
  const last = 109;
  const history = Array.from({ length: last + 1 }, (_, index) => [
    { id: `q${index}`, role: "user", content: `Вопрос ${index}` },
    { id: `a${index}`, role: "assistant", content: [{ type: "data", name: "order", data: index }] },
  ]).flat();
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, { json: history });
  await openWith(chat, `{ "data:order": calledAnew }`);
  await expect(page.locator(".own").filter({ hasText: String(last) })).toBeVisible();
  const viewport = chat.root.locator(".thread-viewport");
  await expect(async () => {
    await viewport.evaluate((element) => element.scrollTo(0, 0));
    expect(await log(page)).toContain(`end ${last}`);
  }).toPass({ intervals: [20] });
  expect(await containers(page)).toBeLessThanOrEqual(100);
  await chat.button("Прокрутить вниз").click();
  await expect.poll(async () => (await log(page)).filter((line) => line === `call ${last}`)).toHaveLength(2);
});
