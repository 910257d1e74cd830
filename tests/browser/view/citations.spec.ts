import type { WireEvent } from "../backend.ts";
import { gate } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";

/** A source that the text cites. */
function source(n: number, title = `Страница ${n}`): WireEvent {
  return {
    type: "source-url",
    sourceId: String(n),
    url: `https://shop.example/page-${n}#place`,
    title,
    providerMetadata: { nitka: { n, quote: `Цитата ${n}.`, heading: `Раздел ${n}` } },
  };
}

function text(delta: string): WireEvent[] {
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta },
    { type: "text-end", id: "t" },
  ];
}

test("the host's own texts name a source and the menu of models, and the locale's where the host's function fails", async ({
  chat,
  site,
  console,
}) => {
  console.allow(/must give a string/);
  site.script.answer = () => [source(1, "Доставка"), source(2, "Оплата"), ...text("Два дня [1, 2].")];
  await chat.config({
    models: [
      { id: "scripted", name: "Быстрая" },
      { id: "other", name: "Умная" },
    ],
  });
  const words = `{ "citation.source": (n, title) => (n === 1 ? "Смотри: " + title : undefined), "model.regenerate": "Спросить другую" }`;
  await chat.open("/", { options: `{ target: "#chat", words: ${words} }` });
  await chat.converse("Сколько ждать?");
  const links = chat.answers.locator("[data-citation]");
  await expect(links.first()).toHaveAccessibleName("Смотри: Доставка");
  await expect(links.last()).toHaveAccessibleName("Источник\u00a02: Оплата");
  await expect(chat.button("Спросить другую")).toHaveCount(1);
});

test(
  "a number in brackets is a small link to its source, with a card by pointer and by keyboard",
  core,
  async ({ chat, page, site }) => {
    site.script.answer = () => [
      source(1, "Доставка"),
      source(2),
      ...text("Два дня [1], в будни [1, 2]. В коде `[1]`. Чужое [7]."),
    ];
    await chat.open();
    await chat.converse("Сколько ждать?");
    const links = chat.answers.getByRole("link", { name: /^Источник/ });

    await test.step("its name has the number and the title", async () => {
      await expect(links).toHaveCount(3);
      await expect(links.first()).toHaveAccessibleName("Источник\u00a01: Доставка");
      await expect(links.first()).toHaveAttribute("href", "https://shop.example/page-1#place");
      await expect(links.first()).toHaveAttribute("rel", /noopener/);
      await expect(chat.answers.getByText("Чужое [7].")).toBeVisible();
    });

    const card = chat.answers.getByRole("tooltip");
    await test.step("the pointer shows title, host, heading and quote", async () => {
      await links.first().hover();
      await expect(card).toBeVisible();
      await expect(card).toHaveText(/Доставка.*shop\.example.*Раздел 1.*Цитата 1\./s);
      await page.mouse.move(2, 2);
      await expect(card).toBeHidden();
    });

    await test.step("the focus shows it, and Escape hides only the card", async () => {
      await links.last().focus();
      await expect(card).toHaveText(/Страница 2/);
      await page.keyboard.press("Escape");
      await expect(card).toBeHidden();
      await expect(links.last()).toBeFocused();
    });

    await test.step("the sources below bear their numbers", async () => {
      await chat.answers.getByRole("button", { name: /источник/i }).click();
      const items = chat.answers.locator("ol.source-list > li");
      await expect(items).toHaveCount(2);
      await expect(items.first()).toContainText("Доставка");
    });
  },
);

test("Escape that hides the card neither stops the answer nor closes the panel", async ({ chat, page, site }) => {
  const end = gate();
  site.script.answer = async function* () {
    yield source(1);
    yield* text("Да [1].");
    await end.opened;
  };
  await chat.goto("/shop", { options: `{ layout: "launcher" }` });
  await chat.button("Открыть чат").click();
  await chat.ask("Вопрос");
  await chat.answers.getByRole("link", { name: /^Источник/ }).focus();
  const card = chat.answers.getByRole("tooltip");
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await expect(chat.stopButton).toBeVisible();
  end.open();
});

test("the card moves with its number when the focus scrolls it into view", async ({ chat, page, site }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  site.script.answer = () => [source(1), source(2), ...text(`Да [1].${"\n\nАбзац.".repeat(40)}\n\nНет [2].`)];
  await chat.open();
  await chat.converse("Вопрос");
  const [first, second] = [1, 2].map((n) => chat.answers.getByRole("link", { name: `Источник\u00a0${n}` }));
  for (const link of [first, second, first, second]) {
    await link?.focus();
    await expect(link ?? page.locator("x")).toBeInViewport();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(chat.answers.getByRole("tooltip")).toBeInViewport();
  }
});

test("a number becomes a link when its source comes after it, and stays one after a reload", async ({ chat, site }) => {
  site.script.answer = () => [...text("Да [1], нет [2]."), source(1)];
  await chat.open();
  await chat.converse("Вопрос");
  await expect(chat.answers.getByRole("link", { name: /^Источник/ })).toHaveCount(1);
  await expect(chat.answers).toContainText("[2]");
  await chat.page.reload();
  await expect(chat.answers.getByRole("link", { name: /^Источник/ })).toHaveCount(1);
});

test("an answer is copied with its numbers and the sources below it", async ({ chat, page, site, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  site.script.answer = () => [source(2, "Возврат"), source(1, "Доставка"), ...text("Два дня [1]. Можно [2].")];
  await chat.open();
  await chat.converse("Вопрос");
  await expect(chat.answers.getByRole("link", { name: /^Источник/ })).toHaveCount(2);
  await chat.answers.hover();
  await chat.answers.getByRole("button", { name: "Копировать" }).click();
  await expect
    .poll(async () => page.evaluate(async () => navigator.clipboard.readText()))
    .toBe(
      "Два дня [1]. Можно [2].\n\n[1] Доставка https://shop.example/page-1#place\n[2] Возврат https://shop.example/page-2#place",
    );
});

test("with linkTarget «self» a link to the page's own origin opens in its tab, any other in a new one", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = () => text(`[Своя](${new URL("/shop", page.url()).href}) и [чужая](https://other.example/)`);
  await chat.open("/", { options: `{ linkTarget: "self" }` });
  await chat.converse("Вопрос");
  const [own, other] = ["Своя", "чужая"].map((name) => chat.answers.getByRole("link", { name }));
  await other?.hover();
  await expect(other ?? page.locator("x")).toHaveAttribute("target", "_blank");
  await own?.click();
  await expect(page).toHaveURL(/\/shop$/);
});
