/**
 * The announcements of a screen reader during a visit on a phone, as in docs/screen-reader.md. To write the document again:
 * `WRITE_TRANSCRIPT=1 npx playwright test browser/screen-reader.spec.ts --project server` in `tests/`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { gate, textEvents } from "./backend.ts";
import { dataUrl, png } from "./files.ts";
import { expect, motion, test } from "./fixtures.ts";
import { announcedIn, recordAnnouncements } from "./screen-reader.ts";
import { callServer } from "./visitor-calls.ts";

test.use(motion);

const file = join(import.meta.dirname, "../../docs/screen-reader.md");

/** The name and the role of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return "the page";
    const role = element.getAttribute("role") ?? element.localName;
    return `«${element.ariaLabel ?? element.textContent?.trim().replaceAll(/\s+/g, " ")}» (${role})`;
  });
}

test("the transcript of a visit on a phone is the one in the docs", async ({ chat, page, console }) => {
  console.allow(/Upstream|Failed to load resource/);
  await page.setViewportSize({ width: 390, height: 800 });
  await recordAnnouncements(page);
  const picture = [...textEvents("Вот."), { type: "file", url: dataUrl(png()), mediaType: "image/png" }];
  await chat.seed({ title: "Доставка" }, { title: "Кружки", turns: [["Покажи кружку", () => picture]] });
  await chat.goto("/", { options: `{ layout: "launcher" }`, body: "<p>Магазин</p>" });

  const lines: string[] = [];
  let heard = 0;
  /** Does something and waits for its last announcement; `last` is empty if there is none. */
  const step = async (what: string, last: string, act: () => Promise<void>) => {
    await act();
    const news = async () => (await announcedIn(page)).slice(heard);
    if (last !== "") await expect.poll(async () => (await news()).at(-1)).toBe(last);
    const texts = await news();
    heard += texts.length;
    lines.push("", `**${what}**`, "", `- focus: ${await focused(page)}`, ...texts.map((text) => `- says: ${text}`));
  };

  await step("The visitor opens the chat.", "", async () => {
    await chat.button("Открыть чат").press("Enter");
    await chat.opened();
    await expect(chat.composer).toBeFocused();
  });
  const picked = chat.answers.getByRole("button", { name: /^Открыть/ });
  await step("They open the picture of the last answer.", "", async () => {
    await picked.press("Enter");
    await expect(chat.preview).toBeVisible();
  });
  await step("They close it.", "", async () => {
    await page.keyboard.press("Escape");
    await expect(picked).toBeFocused();
  });
  const asked = gate();
  chat.site.script.answer = async function* ({ visitor }) {
    yield { type: "text-delta", delta: "Сейчас отменю. " };
    await asked.opened;
    yield* callServer(visitor, { toolName: "cancel_order" });
    yield* textEvents("Заказ отменён.", "t2");
  };
  await step("They ask for something that needs their permission.", "Сейчас отменю.", () => chat.ask("Отмени заказ"));
  await step("The tool asks.", "Нужно ваше разрешение: cancel_order", () => Promise.resolve(asked.open()));
  await step("They allow it.", "Ответ готов.", async () => {
    await chat.button("Разрешить").press("Enter");
    await chat.idle();
  });
  await step("They open the list of chats.", "", async () => {
    await chat.sidebarToggle.press("Enter");
    await expect(chat.button("Закрыть", chat.sidebar)).toBeFocused();
  });
  await step("They delete a chat.", "Чат «Доставка» удалён. Его можно вернуть в списке.", () =>
    chat.button("Удалить чат", chat.row("Доставка")).press("Enter"),
  );
  await step("They close the list.", "", async () => {
    await chat.button("Закрыть", chat.sidebar).press("Enter");
    await expect(chat.sidebarToggle).toBeFocused();
  });
  const broken = gate();
  chat.site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Смотрю. " };
    await broken.opened;
    throw new Error("Беда");
  };
  await step("They ask again.", "Смотрю.", () => chat.ask("Где заказ?"));
  await step("The answer fails.", "Не удалось получить ответ.", () => Promise.resolve(broken.open()));
  await step("They close the chat.", "", async () => {
    await page.keyboard.press("Escape");
    await expect(chat.button("Открыть чат")).toBeFocused();
  });

  const [head = ""] = readFileSync(file, "utf8").split("\n**", 1);
  const text = `${head.trimEnd()}\n${lines.join("\n")}\n`;
  if (process.env["WRITE_TRANSCRIPT"]) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});
