import type { Page } from "@playwright/test";
import { core, expect, motion, test } from "../fixtures.ts";
import type { SeedThread } from "../chat-page.ts";

test.use(motion);

const two: readonly SeedThread[] = [
  { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
  { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
];

test.describe("a wide window", () => {
  test("has a sidebar that is 16rem wide, and 3rem wide when it is collapsed", async ({ chat }) => {
    await chat.open();
    const width = async () => Math.round((await chat.sidebar.boundingBox())?.width ?? 0);
    await expect(chat.sidebar).toHaveAttribute("data-open");
    await expect.poll(width).toBe(256);
    await chat.sidebarToggle.click();
    await expect(chat.sidebar).not.toHaveAttribute("data-open");
    await expect.poll(width).toBe(48);
    await chat.sidebarToggle.click();
    await expect.poll(width).toBe(256);
  });

  test("has a sidebar of the same width on a page whose rem is 10px", async ({ chat }) => {
    await chat.open("/", { head: "<style>html { font-size: 10px }</style>" });
    await expect.poll(async () => Math.round((await chat.sidebar.boundingBox())?.width ?? 0)).toBe(256);
  });

  test("keeps the sidebar's state in the cookie sidebar_state for seven days", core, async ({ chat, page }) => {
    await chat.open();
    const cookie = async () => (await page.context().cookies()).find(({ name }) => name === "sidebar_state");
    expect(await cookie()).toBeUndefined();
    const before = Date.now() / 1000;
    await chat.sidebarToggle.click();
    await expect.poll(async () => (await cookie())?.value).toBe("false");
    const expires = (await cookie())?.expires ?? 0;
    expect(Math.abs(expires - before - 604_800)).toBeLessThan(60);
    expect((await cookie())?.path).toBe("/");

    await page.reload();
    await expect(chat.composer).toBeVisible();
    await expect(chat.sidebar).not.toHaveAttribute("data-open");
    await chat.sidebarToggle.click();
    await expect.poll(async () => (await cookie())?.value).toBe("true");
    await page.reload();
    await expect(chat.sidebar).toHaveAttribute("data-open");
  });

  test("toggles the sidebar on its shortcut, in every layout of keys", core, async ({ chat, page }) => {
    await chat.open();
    await expect(chat.sidebar).toHaveAttribute("data-open");
    for (const key of ["Control+b", "Meta+b", "Control+и"]) {
      await test.step(`toggles the sidebar on ${key}`, async () => {
        await chat.composer.focus();
        await press(page, key);
        await expect(chat.sidebar).not.toHaveAttribute("data-open");
        await press(page, key);
        await expect(chat.sidebar).toHaveAttribute("data-open");
      });
    }
    await test.step("does not take b, Ctrl+Shift+B or Ctrl+Alt+B for the shortcut", async () => {
      await chat.composer.press("b");
      await chat.composer.press("Control+Shift+b");
      await chat.composer.press("Alt+Control+b");
      await expect(chat.sidebar).toHaveAttribute("data-open");
      await expect(chat.composer).toHaveValue("b");
    });
  });

  test("takes the shortcut while the focus is on the page, but not in a field of the page", async ({ chat, page }) => {
    await chat.open("/", { body: `<input id="field"><div contenteditable id="rich">текст</div><div id="chat"></div>` });
    await page.locator("body").press("Control+b");
    await expect(chat.sidebar).not.toHaveAttribute("data-open");
    await page.locator("#field").press("Control+b");
    await page.locator("#rich").press("Control+b");
    await expect(chat.sidebar).not.toHaveAttribute("data-open");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.locator("body").press("Control+b");
    await expect(chat.sidebar).toHaveAttribute("data-open");
  });

  test("ignores the shortcut outside the widget when the page has handled it", async ({ chat, page }) => {
    await chat.open("/", {
      head: `<script>addEventListener("keydown", (event) => event.preventDefault(), true)</script>`,
    });
    await page.locator("body").press("Control+b");
    await expect(chat.sidebar).toHaveAttribute("data-open");
  });

  test("has a header with the toggle, the breadcrumb with «[Model changer]» and the title", core, async ({ chat }) => {
    await chat.seed(...two);
    await chat.open();
    await expect(chat.sidebarToggle).toBeVisible();
    await expect(chat.root.getByText("[Model changer]", { exact: true })).toBeVisible();
    await expect(chat.root.getByRole("link", { name: "[Model changer]" })).toBeVisible();
    await expect(chat.title).toHaveText("Второй");
  });

  test("offers the config's models in the breadcrumb, and a run names the chosen model", async ({ chat, page }) => {
    await chat.config({
      models: [
        { id: "small", name: "Малая" },
        { id: "large", name: "Большая" },
      ],
      model: "small",
    });
    await chat.stub("POST", /run\/stream/, { contentType: "text/event-stream", body: "data: [DONE]\n\n" });
    await chat.open();
    await chat.header.getByRole("button", { name: /Малая/ }).click();
    await chat.root
      .getByRole("menuitemradio", { name: "Большая" })
      .or(chat.root.getByRole("option", { name: "Большая" }))
      .click();
    await expect(chat.header.getByRole("button", { name: /Большая/ })).toBeVisible();
    const run = page.waitForRequest(/run\/stream/);
    await chat.ask("Привет");
    expect((await run).postDataJSON()).toMatchObject({ model: "large" });
  });
});

test("a model's long name leaves room for the breadcrumb's slash, and the menu shows it in full", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await chat.config({ models: [{ id: "long", name: "Быстрая модель с длинным названием для проверки" }] });
  await chat.open();
  const trigger = chat.header.getByRole("button", { name: /Быстрая модель/ });
  await trigger.click();
  const name = chat.root.getByRole("menuitemradio").locator("span");
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const [before, after] = [await trigger.boundingBox(), await chat.title.boundingBox()];
  expect((after?.x ?? 0) - (before?.x ?? 0) - (before?.width ?? 0)).toBeGreaterThan(16);
});

test.describe("a narrow window", () => {
  test.use({ viewport: { width: 767, height: 800 } });

  test("shows the sidebar as a sheet, which closes again", core, async ({ chat, page }) => {
    await chat.open();
    const sheet = chat.root.getByRole("dialog");
    await test.step("opens the sidebar as a sheet from the left, 18rem wide", async () => {
      await expect(sheet).toHaveCount(0);
      await chat.sidebarToggle.click();
      await expect(sheet).toBeVisible();
      await expect.poll(async () => Math.round((await chat.sidebar.boundingBox())?.x ?? -1)).toBe(0);
      await expect.poll(async () => Math.round((await chat.sidebar.boundingBox())?.width ?? 0)).toBe(288);
      await expect(chat.sidebar.getByRole("heading", { name: "Чаты" })).toBeVisible();
    });

    await test.step("writes no cookie when the sheet opens", async () => {
      await expect(chat.root.getByRole("dialog")).toBeVisible();
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("sidebar_state");
    });

    await test.step("closes the sheet on Escape, on Ctrl+B and on a press beside it", async () => {
      await page.keyboard.press("Escape");
      await expect(sheet).toHaveCount(0);
      for (const close of [
        () => page.keyboard.press("Escape"),
        () => page.keyboard.press("Control+b"),
        () => page.mouse.click(700, 400),
      ]) {
        await chat.sidebarToggle.click();
        await expect(sheet).toBeVisible();
        await close();
        await expect(sheet).toHaveCount(0);
      }
    });
  });

  test("closes the sheet when the visitor chooses a thread", core, async ({ chat }) => {
    await chat.seed(...two);
    await chat.open();
    await chat.sidebarToggle.click();
    await chat.rowLink("Первый").click();
    await expect(chat.root.getByRole("dialog")).toHaveCount(0);
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  });

  test("closes the sheet when the visitor begins a new chat", async ({ chat }) => {
    await chat.seed(...two);
    await chat.open();
    await chat.sidebarToggle.click();
    await chat.button("Новый чат", chat.root.getByRole("dialog")).click();
    await expect(chat.root.getByRole("dialog")).toHaveCount(0);
    await expect(chat.root.getByText("Привет!")).toBeVisible();
  });
});

test("the layout is wide at 768 px", core, async ({ chat, page }) => {
  await page.setViewportSize({ width: 768, height: 700 });
  await chat.open();
  await expect(chat.sidebar).toHaveAttribute("data-open");
  await page.setViewportSize({ width: 767, height: 700 });
  await expect(chat.sidebar).toBeHidden();
  await page.setViewportSize({ width: 768, height: 700 });
  await expect(chat.sidebar).toBeVisible();
});

test("a widget narrower than 768 px is compact in a wide window too", async ({ chat }) => {
  await chat.open("/", { head: "<style>#chat { width: 420px }</style>" });
  await expect(chat.sidebar).toBeHidden();
  await chat.sidebarToggle.click();
  await expect(chat.root.getByRole("dialog")).toBeVisible();
});

test("the breadcrumb hides «[Model changer]» on a small screen", async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await chat.open();
  await expect(chat.title).toBeVisible();
  await expect(chat.root.getByText("[Model changer]")).toBeHidden();
});

test.describe("a page without cookies", () => {
  test("still toggles the sidebar", async ({ chat, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(document, "cookie", {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
        set: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
    await chat.open();
    await chat.sidebarToggle.click();
    await expect(chat.sidebar).not.toHaveAttribute("data-open");
  });
});

/** Presses a key. Playwright has no key for «Control+и», the B key of a Russian layout, so its event is dispatched. */
async function press(page: Page, key: string): Promise<void> {
  if (key !== "Control+и") return page.keyboard.press(key);
  await page.keyboard.down("Control");
  await page.evaluate(() => {
    const deepest = (root: Document | ShadowRoot): Element | null =>
      root.activeElement?.shadowRoot ? deepest(root.activeElement.shadowRoot) : root.activeElement;
    deepest(document)?.dispatchEvent(
      new KeyboardEvent("keydown", {
        key: "и",
        code: "KeyB",
        ctrlKey: true,
        bubbles: true,
        composed: true,
        cancelable: true,
      }),
    );
  });
  await page.keyboard.up("Control");
}
