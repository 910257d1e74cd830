/**
 * Scrolling elements can be scrolled by keys: they can have the focus, which Safari does not give scrollers, and they have a
 * name.
 */
import type { Locator } from "@playwright/test";
import { gate, textEvents } from "../backend.ts";
import { expect, motion, test } from "../fixtures.ts";
import { callServer } from "../visitor-calls.ts";

test.use(motion);

const wide = "оченьдлиннаястрока".repeat(40);
const answer = `Код:

\`\`\`JS
const a = "${wide}";
\`\`\`

Короткий:

\`\`\`
a
\`\`\`

| ${"столбец | ".repeat(20)}
| ${"- | ".repeat(20)}
| ${"значение | ".repeat(20)}

| а |
| - |
| б |
`;

/** The role and name of a scroller that keys can scroll; `undefined` for one that cannot have the focus. */
function reached(scroller: Locator): Promise<readonly (string | undefined)[]> {
  return scroller.evaluateAll((elements) =>
    elements.map((element) =>
      element.getAttribute("tabindex") === "0" ? `${element.role} «${element.ariaLabel}»` : undefined,
    ),
  );
}

test("wide code and tables are groups with a name, and those that fit are no stop of the Tab key", async ({
  chat,
  page,
}) => {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", answer]] });
  await chat.open();
  await expect.poll(() => reached(chat.answers.locator("pre"))).toEqual(["group «Код JS»", undefined]);
  await expect.poll(() => reached(chat.answers.locator(".table-scroll"))).toEqual(["group «Таблица»", undefined]);
  for (const scroller of [chat.answers.locator("pre").first(), chat.answers.locator(".table-scroll").first()]) {
    await scroller.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  }
});

test("an answer that is being written can be scrolled by keys, although its buttons are gone", async ({
  chat,
  page,
}) => {
  const held = gate();
  chat.site.script.answer = async function* () {
    yield* textEvents(Array.from({ length: 80 }, (_, index) => `Абзац ${index}.`).join("\n\n"));
    await held.opened;
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Абзац 79."]);
  const viewport = chat.root.getByRole("region", { name: "Переписка" });
  expect(await reached(viewport)).toEqual(["null «Переписка»"]);
  await chat.composer.press("Shift+Tab");
  // «Прокрутить вниз» is hidden at the end of the conversation.
  await expect(viewport).toBeFocused();
  const top = () => viewport.evaluate((element) => element.scrollTop);
  const before = await top();
  await page.keyboard.press("PageUp");
  await expect.poll(top).toBeLessThan(before);
  held.open();
});

test("what a tool gets and gives can be scrolled by keys", async ({ chat }) => {
  const lines = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`поле ${index}`, "слово ".repeat(30)]));
  chat.site.script.answer = async function* ({ visitor }) {
    yield { type: "tool-input-available", toolCallId: "w", toolName: "weather", input: lines };
    yield { type: "tool-output-available", toolCallId: "w", output: lines };
    yield* callServer(visitor, { toolName: "cancel_order", input: lines });
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.button("Разрешить")).toBeVisible();
  await chat.answers.getByRole("button", { name: /Used tool weather/ }).click();
  expect(await reached(chat.answers.locator(".tool-text"))).toEqual(["group «weather»", "group «Result:»"]);
  await expect.poll(() => reached(chat.answers.locator(".argument-box"))).toEqual(["group «Подробности»"]);
});

test("a view of the host's own can be scrolled by keys while it is too wide", async ({ chat, page }) => {
  const events = [
    { type: "tool-input-available", toolCallId: "c", toolName: "chart", input: { width: 3000 } },
    { type: "tool-output-available", toolCallId: "c", output: {} },
    { type: "data-table", data: { width: 100 } },
    ...textEvents("Вот."),
  ];
  await chat.seed({ title: "Разговор", turns: [["Вопрос", () => events]] });
  await chat.open("/", {
    options: `{ target: "#chat", renderers: {
      // The view is drawn again at each change.
      "tool:chart": (container, { args }) => {
        container.className = "chart";
        container.innerHTML = "<div style='height: 40px; width: " + args.width + "px'>график</div>";
      },
      "data:table": (container, { data }) => {
        container.innerHTML = "<div style='height: 40px; width: " + data.width + "px'>т</div>";
        window.widen = (width) => { container.firstChild.style.width = width + "px"; };
        return { update() {} };
      },
    } }`,
  });
  await expect(page.locator(".chart")).toBeVisible();
  const views = chat.answers.locator(".host-view");
  await expect.poll(() => reached(views)).toEqual(["group «chart»", undefined]);
  await views.first().focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => views.first().evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  // The host's view changes its own size.
  await page.evaluate(() => (Reflect.get(window, "widen") as (width: number) => void)(4000));
  await expect.poll(() => reached(views)).toEqual(["group «chart»", "group «table»"]);
  await page.evaluate(() => (Reflect.get(window, "widen") as (width: number) => void)(50));
  await expect.poll(() => reached(views)).toEqual(["group «chart»", undefined]);
  // Another colour scheme draws the chart again, in another container.
  await page.locator(".chart").evaluate((container) => Reflect.set(window, "before", container));
  await page.evaluate(() => window.chat.setColorScheme("dark"));
  await expect.poll(() => page.evaluate(() => (Reflect.get(window, "before") as Element).isConnected)).toBe(false);
  // After these frames, neither the old container nor scrolling affects the new one.
  await views.first().evaluate((element) => element.scrollTo({ left: 0, behavior: "instant" }));
  await page.evaluate(
    () =>
      new Promise<void>((pass) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => pass())));
      }),
  );
  await page.locator(".chart > div").evaluate((chart) => chart.style.setProperty("width", "90px"));
  await expect.poll(() => reached(views)).toEqual([undefined, undefined]);
});

test("nothing but the conversation and the list can be scrolled from top to bottom", async ({ chat }) => {
  const models = [
    { id: "scripted", name: "Быстрая" },
    { id: "other", name: "Умная" },
  ];
  await chat.config({ models, voice: { input: true, output: true }, features: { search: true } });
  const turns = Array.from({ length: 6 }, () => ["Вопрос", answer] as const);
  await chat.seed(...Array.from({ length: 39 }, () => ({ title: "Чат" })), { title: "Разговор", turns });
  await chat.open();
  await expect(chat.answers.last().getByRole("button", { name: /модел/ })).toBeVisible();
  await expect(chat.sidebar.getByRole("searchbox")).toBeVisible();
  // Focus, find-in-page or a script can scroll boxes that visitors cannot scroll back.
  const scrollable = () =>
    chat.root.evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll(".shell, .shell *") ?? [])]
        .filter((box) => {
          const { overflowY } = getComputedStyle(box);
          return overflowY !== "visible" && overflowY !== "clip" && box.scrollHeight > box.clientHeight + 1;
        })
        .map((box) => box.className)
        .filter((name) => !/thread-viewport|sidebar-list|hidden-text/.test(name)),
    );
  await expect.poll(scrollable).toEqual([]);
});
