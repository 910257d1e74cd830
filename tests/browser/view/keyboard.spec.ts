import { core, expect, test } from "../fixtures.ts";
import type { SeedThread } from "../chat-page.ts";

const two: readonly SeedThread[] = [
  { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
  { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
];

test("Tab reaches every control in visual order", async ({ chat, page }) => {
  await chat.seed(...two);
  await chat.open();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const names: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(() => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        return focused?.ariaLabel ?? focused?.textContent?.trim() ?? "";
      }),
    );
  }
  const order = [
    "Новый чат",
    "Второй",
    "Первый",
    "Обратная связь",
    "Боковая панель",
    "Копировать",
    "Редактировать",
    "Сообщение",
  ];
  const places = order.map((name) => names.findIndex((found) => found.startsWith(name)));
  expect(places.filter((place) => place === -1)).toEqual([]);
  expect(places.indexOf(Math.min(...places))).toBe(0);
  expect(places.at(-1)).toBe(Math.max(...places));
});

test("the actions of a thread's row appear on focus, not only on hover", async ({ chat }) => {
  await chat.seed(...two);
  await chat.open();
  const remove = chat.button("Удалить чат", chat.row("Первый"));
  await remove.focus();
  await expect(remove).toBeInViewport();
  expect(await remove.evaluate((element) => Number(getComputedStyle(element).opacity))).toBe(1);
  await remove.press("Enter");
  await expect(chat.row("Первый")).toHaveCount(0);
});

test("archiving a thread keeps the focus in the widget", async ({ chat, page }) => {
  await chat.seed(...two);
  await chat.open();
  await chat.button("Удалить чат", chat.row("Первый")).focus();
  await page.keyboard.press("Enter");
  await expect(chat.row("Первый")).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.tagName.toLowerCase())).toBe("nitka-chat");
});

test("every control shows that it has the focus", async ({ chat, page }) => {
  await chat.seed(...two);
  await chat.open();
  for (const control of [
    chat.newThreadButton,
    chat.sidebarToggle,
    chat.rowLink("Первый"),
    chat.button("Копировать").first(),
  ]) {
    await control.focus();
    await page.keyboard.press("Shift");
    const ring = await control.evaluate((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 ? "outline" : boxShadow;
    });
    expect(ring).not.toBe("none");
  }
});

test("keys that are typed in the widget do not reach the page's handlers", async ({ chat, page }) => {
  await chat.open("/", {
    head: `<script>
      window.heard = [];
      for (const type of ["keydown", "keypress", "keyup"]) {
        document.addEventListener(type, (event) => window.heard.push(type + " " + event.key));
      }
    </script>`,
  });
  await chat.composer.focus();
  await page.keyboard.type("s/Привет");
  await page.keyboard.press("Enter");
  await expect(chat.questionTexts).toHaveText(["s/Привет"]);
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
});

test("sending a question with the button moves the focus to the composer", async ({ chat }) => {
  await chat.seed(...two);
  await chat.open();
  await chat.composer.fill("Вопрос");
  await chat.sendButton.click();
  await chat.idle();
  await expect(chat.composer).toBeFocused();
});

test.describe("tooltips", () => {
  test("appear after 700 ms of hover, and at once on another control within 300 ms", core, async ({ chat, page }) => {
    await page.clock.install();
    await chat.seed(...two);
    await chat.open();
    await chat.row("Первый").hover();
    await chat.freezeClock();
    const tooltip = chat.root.getByRole("tooltip");
    await chat.button("Удалить чат", chat.row("Первый")).hover();
    await page.clock.runFor(690);
    await expect(tooltip).toBeHidden();
    await page.clock.runFor(20);
    await expect(tooltip).toHaveText("Удалить чат");
    await expect(tooltip).toBeVisible();
    await chat.button("Переименовать чат", chat.row("Первый")).hover();
    await page.clock.runFor(20);
    await expect(tooltip).toHaveText("Переименовать чат (F2)");
    await expect(tooltip).toBeVisible();
  });

  test("appear on keyboard focus and disappear on Escape", async ({ chat, page }) => {
    await page.clock.install();
    await chat.seed(...two);
    await chat.open();
    await chat.freezeClock();
    await page.keyboard.press("Shift");
    await chat.button("Удалить чат", chat.row("Первый")).focus();
    await page.clock.runFor(710);
    await expect(chat.tooltip("Удалить чат")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(chat.tooltip("Удалить чат")).toBeHidden();
    await expect(chat.row("Первый")).toHaveCount(1);
  });

  test("name every button that shows only an icon", async ({ chat, page }) => {
    await page.clock.install();
    await chat.seed(...two);
    await chat.open();
    await chat.freezeClock();
    for (const [name, control] of [
      ["Боковая панель", chat.sidebarToggle],
      ["Копировать", chat.button("Копировать", chat.answers)],
      ["Сгенерировать заново", chat.button("Сгенерировать заново", chat.answers)],
      ["Редактировать", chat.button("Редактировать", chat.questions)],
    ] as const) {
      await control.hover();
      await page.clock.runFor(1500);
      await expect(chat.tooltip(name)).toBeVisible();
      await page.mouse.move(640, 500);
      await page.clock.runFor(1500);
    }
  });
});

test.describe("a modal dialog", () => {
  test.use({ viewport: { width: 600, height: 800 } });

  test("keeps the focus inside and returns it when it closes", async ({ chat, page }) => {
    await chat.seed(...two);
    await chat.open("/", { body: `<button id="host">страница</button><div id="chat"></div>` });
    await chat.sidebarToggle.focus();
    await page.keyboard.press("Enter");
    const sheet = chat.root.getByRole("dialog");
    await expect(sheet).toBeVisible();
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(() => {
        const root = document.querySelector("nitka-chat")?.shadowRoot;
        const focused = root?.activeElement;
        const page = document.activeElement;
        return page?.id === "host" || (focused != null && focused.closest("dialog") === null);
      });
      expect(outside).toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
    await expect(chat.sidebarToggle).toBeFocused();
  });
});

test("no two buttons of the list have one name, and each tooltip says what the button does", async ({ chat }) => {
  await chat.seed(...two, { title: "Третий" });
  await chat.open();
  const buttons = chat.threads.getByRole("button");
  await expect(buttons).toHaveCount(9);
  const names = await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.textContent));
  expect(new Set(names).size).toBe(9);
  expect(names.toSorted().slice(-3)).toEqual(
    ["Удалить чат: Второй", "Удалить чат: Первый", "Удалить чат: Третий"].toSorted(),
  );
  const remove = chat.button("Удалить чат", chat.row("Первый"));
  await remove.hover();
  await expect(chat.root.getByRole("tooltip")).toHaveText("Удалить чат");
});
