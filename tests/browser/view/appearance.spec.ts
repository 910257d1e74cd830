import type { Locator, Page } from "@playwright/test";
import type { ChatPage, SeedThread } from "../chat-page.ts";
import { gate, textEvents } from "../backend.ts";
import { core, expect, motion, test } from "../fixtures.ts";

test.use(motion);

const long: SeedThread = {
  title: "Частнопредпринимательский Тифлопедагогический Рентгеноэлектрокардиографический",
  turns: [
    [
      "Достопримечательность высокопревосходительство водогрязеторфопарафинолечение ".repeat(3),
      `# Частнопредпринимательский\n\n${"Рентгеноэлектрокардиографический ".repeat(6)}\n\n| Очень длинный заголовок столбца | И ещё один очень длинный | И третий |\n| - | - | - |\n| 1 | 2 | 3 |\n\n\`\`\`\n${"x".repeat(300)}\n\`\`\`\n\nhttps://example.com/${"a".repeat(200)}\n`,
    ],
  ],
};

/** Expects that neither the page nor a box of the widget is wider than the window. */
async function expectNoSidewaysOverflow(page: Page): Promise<void> {
  const wider = await page.evaluate(() => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
    const root = document.querySelector("nitka-chat")?.shadowRoot;
    for (const element of root?.querySelectorAll("*") ?? []) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.right <= innerWidth + 1) continue;
      // A box that scrolls or clips its content prevents it from widening the page.
      let scroller: Element | null = element.parentElement;
      while (scroller && !/auto|scroll|hidden|clip/.test(getComputedStyle(scroller).overflowX))
        scroller = scroller.parentElement;
      if (!scroller || scroller.getBoundingClientRect().right > innerWidth + 1) found.push(element.className);
    }
    return found;
  });
  expect(wider).toEqual([]);
}

test("nothing overflows sideways at any width", async ({ chat, page }) => {
  for (const width of [320, 390, 768, 1024]) {
    await test.step(`nothing overflows sideways at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 640 });
      await chat.seed(long);
      await chat.open();
      await expect(chat.answerTexts.locator("pre")).toBeVisible();
      await expectNoSidewaysOverflow(page);
      const scroller = chat.answerTexts.locator("xpath=ancestor::*").filter({ visible: true }).last();
      await expect(scroller).toBeVisible();
      await chat.newThreadButton.first().or(chat.sidebarToggle).first().click();
      await expectNoSidewaysOverflow(page);
    });
  }
});

test("the sidebar and the composer can be used at 320 px", async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await chat.open();
  await expectNoSidewaysOverflow(page);
  await chat.converse("Вопрос");
  await chat.sidebarToggle.click();
  await expect(chat.sidebar.getByRole("heading", { name: "Чаты" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await expect(chat.sendButton).toBeInViewport({ ratio: 1 });
});

/** The contrast ratio of an element's text to its background, from 1 to 21 (WCAG 2.2, «contrast ratio»). */
async function contrast(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no canvas");
    const paint = (color: string): void => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    };
    const layers: string[] = [];
    for (let at: Element | null = element; at;) {
      layers.unshift(getComputedStyle(at).backgroundColor);
      at = at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null;
    }
    paint("white");
    for (const layer of layers) paint(layer);
    const background = [...context.getImageData(0, 0, 1, 1).data];
    paint(getComputedStyle(element).color);
    const foreground = [...context.getImageData(0, 0, 1, 1).data];
    const luminance = ([r = 0, g = 0, b = 0]: number[]) => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const [a, b] = [luminance(foreground), luminance(background)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}

async function expectReadable(chat: ChatPage): Promise<void> {
  const texts = {
    question: chat.questionTexts,
    answer: chat.answerTexts.locator("p").first(),
    link: chat.answerTexts.getByRole("link").first(),
    code: chat.answerTexts.locator("pre code").first(),
    title: chat.title,
    row: chat.threads.first(),
    composer: chat.composer,
    heading: chat.sidebar.getByRole("heading", { name: "Чаты" }),
  };
  for (const [name, text] of Object.entries(texts)) {
    expect(await contrast(text), `contrast of ${name}`).toBeGreaterThanOrEqual(4.5);
  }
}

for (const scheme of ["light", "dark"] as const) {
  test(`texts have a contrast of at least 4.5:1 in the ${scheme} scheme`, async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await chat.seed({
      title: "Разговор",
      turns: [["Вопрос", "Ответ со [ссылкой](https://example.com/).\n\n```js\nconst a = 1;\n```\n"]],
    });
    await chat.open();
    await expectReadable(chat);
  });

  test(`colorScheme «${scheme}» overrides the system's preference`, async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme: scheme === "light" ? "dark" : "light" });
    await chat.open("/", { options: `{ target: "#chat", colorScheme: "${scheme}" }` });
    const lightness = await chat.composer.evaluate((element) => {
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.fillStyle = getComputedStyle(element).color;
      context.fillRect(0, 0, 1, 1);
      return context.getImageData(0, 0, 1, 1).data[0] ?? 0;
    });
    if (scheme === "light") expect(lightness).toBeLessThan(100);
    else expect(lightness).toBeGreaterThan(150);
  });
}

test("the colour scheme follows the system's preference while the page is open", async ({ chat, page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await chat.open();
  const color = () => chat.composer.evaluate((element) => getComputedStyle(element).color);
  const light = await color();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(color).not.toBe(light);
});

test("nothing moves under reduced motion", core, async ({ chat, page, site }) => {
  const restOfAnswer = gate();
  await page.emulateMedia({ reducedMotion: "reduce" });
  site.script.answer = async function* () {
    yield* textEvents("Пишу и пишу");
    await restOfAnswer.opened;
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["Пишу и пишу"]);
  await chat.sidebarToggle.click();
  const moving = await page.evaluate(() =>
    (document.querySelector("nitka-chat")?.shadowRoot?.getAnimations() ?? [])
      .filter((animation) => animation.playState === "running")
      .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 1)
      .map((animation) => (animation as CSSAnimation).animationName || (animation as CSSTransition).transitionProperty),
  );
  expect(moving).toEqual([]);
  restOfAnswer.open();
  await chat.idle();
});

test("a custom property of the host's stylesheet changes the accent colour", async ({ chat, page }) => {
  await chat.open("/", { head: "<style>nitka-chat { --nitka-accent: rgb(200, 0, 100) }</style>" });
  const accent = () =>
    page.evaluate(() =>
      getComputedStyle(document.querySelector("nitka-chat") as Element).getPropertyValue("--nitka-accent"),
    );
  expect((await accent()).trim()).toBe("rgb(200, 0, 100)");
});

test("controls stay visible in forced colours", async ({ chat, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  for (const control of [chat.sendButton, chat.sidebarToggle, chat.newThreadButton, chat.composer]) {
    await expect(control).toBeVisible();
  }
});

test("the locale «en» translates texts that the specification does not quote", async ({ chat }) => {
  await chat.open("/", { options: `{ target: "#chat", locale: "en" }` }).catch(() => undefined);
  await expect(chat.root.getByRole("button", { name: "Send", exact: true })).toBeVisible();
});
