import { gate } from "./backend.ts";
import { both, core, coreOnBoth, expect, motion, test } from "./fixtures.ts";

test.use(motion);

/** Noon on the visitor's clock. The tests run in the time zone of Moscow. */
const noon = new Date("2026-03-10T12:00:00+03:00");

/** The response to a request for the thread list. */
function listed(...threads: readonly (readonly [threadId: string, title: string | undefined, updatedAt: string])[]) {
  return { json: threads.map(([threadId, title, updatedAt]) => ({ threadId, title, updatedAt })) };
}

test.describe("the first load", () => {
  test("creates and activates a thread when the list is empty", coreOnBoth, async ({ chat, page }) => {
    const created = page.waitForRequest((request) => request.method() === "POST");
    await chat.open();
    const request = await created;
    expect(new URL(request.url()).pathname).toBe("/api/debug/threads");
    expect(request.postDataJSON()).toEqual({});
    await expect(chat.threads).toHaveCount(1);
    await expect(chat.threads.locator("[aria-current]")).toHaveCount(1);
    await expect.poll(() => chat.threadId()).not.toBe("");
  });

  test("keeps a suggestion under the visitor's finger and focus while the first thread opens", async ({
    chat,
    page,
  }) => {
    const held = gate();
    await page.route(/\/api\/debug\/threads$/, async (route) => {
      if (route.request().method() === "POST") await held.opened;
      await route.fallback();
    });
    await chat.goto();
    const suggestion = chat.root.locator(".suggestion").first();
    const prompt = await suggestion.innerText();
    await suggestion.focus();
    await suggestion.hover();
    await page.mouse.down();
    held.open();
    await expect.poll(() => chat.threadId()).not.toBe("");
    await expect(suggestion).toBeFocused();
    await page.mouse.up();
    await expect(chat.questionTexts).toHaveText([prompt]);
  });

  test("activates the newest thread of a list in any order, and creates none", coreOnBoth, async ({ chat, page }) => {
    const posts: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && posts.push(request.url())));
    await chat.seed(
      { title: "Средний", at: new Date("2026-03-02T10:00:00Z"), turns: [["а", "б"]] },
      { title: "Новый", at: new Date("2026-03-03T10:00:00Z"), turns: [["в", "г"]] },
      { title: "Старый", at: new Date("2026-03-01T10:00:00Z"), turns: [["д", "е"]] },
    );
    await chat.open();
    await expect(chat.threads).toHaveText([/Новый/, /Средний/, /Старый/]);
    await expect(chat.title).toHaveText("Новый");
    await expect(chat.row("Новый").locator("[aria-current]")).toHaveCount(1);
    await expect(chat.questionTexts).toHaveText(["в"]);
    expect(posts).toEqual([]);
  });

  test("shows no thread until the list has loaded", core, async ({ chat }) => {
    const held = await chat.holdThreadList();
    await chat.goto();
    await expect(chat.newThreadButton).toBeVisible();
    await expect(chat.threads).toHaveCount(0);
    await expect(chat.root.getByText("New Chat")).toHaveCount(0);
    held.open();
    await expect(chat.threads).toHaveCount(1);
  });
});

test.describe("the thread list", () => {
  test("divides «Чаты» into «Сегодня» and «Ранее» at the visitor's midnight", core, async ({ chat, page }) => {
    await page.clock.install({ time: noon });
    await chat.stub("GET", /\/api\/debug\/threads$/, {
      ...listed(
        ["t1", "Утром", "2026-03-10T09:30:00+03:00"],
        ["t2", "После полуночи", "2026-03-09T21:00:01Z"],
        ["t3", "До полуночи", "2026-03-09T20:59:59Z"],
        ["t4", "Год назад", "2025-03-10T09:00:00Z"],
      ),
    });
    await chat.stub("GET", /\/messages$/, { json: [] });
    await chat.open();
    await expect(chat.sidebar.getByRole("heading", { name: "Чаты" })).toBeVisible();
    await expect(chat.group("Сегодня").getByRole("listitem")).toHaveText([/Утром/, /После полуночи/]);
    await expect(chat.group("Ранее").getByRole("listitem")).toHaveText([/До полуночи/, /Год назад/]);
  });

  test("moves threads from «Сегодня» to «Ранее» when midnight passes", async ({ chat, page }) => {
    await page.clock.install({ time: new Date("2026-03-10T23:58:00+03:00") });
    await chat.stub("GET", /\/api\/debug\/threads$/, listed(["t1", "Вечером", "2026-03-10T20:00:00+03:00"]));
    await chat.stub("GET", /\/messages$/, { json: [] });
    await chat.open();
    await expect(chat.group("Сегодня").getByRole("listitem")).toHaveText([/Вечером/]);
    await page.clock.fastForward("03:00");
    await expect(chat.group("Ранее").getByRole("listitem")).toHaveText([/Вечером/]);
    await expect(chat.group("Сегодня")).toHaveCount(0);
  });

  test("shows no heading for a group without threads", async ({ chat }) => {
    await chat.open();
    await expect(chat.sidebar.getByText("Сегодня")).toBeVisible();
    await expect(chat.sidebar.getByText("Ранее")).toHaveCount(0);
  });
});

test.describe("a new chat", () => {
  test(
    "is created by «Новый чат», is highlighted for 600 ms and sets the address",
    coreOnBoth,
    async ({ chat, page }) => {
      await page.clock.install();
      await chat.seed({ title: "Прежний", turns: [["а", "б"]] });
      await chat.open();
      const before = chat.threadId();
      await chat.freezeClock();
      const created = page.waitForResponse((response) => response.request().method() === "POST");
      await chat.newThreadButton.click();
      const { threadId } = (await (await created).json()) as { threadId: string };
      await chat.tickUntil(20, async () => chat.threadId() === threadId);
      expect(threadId).not.toBe(before);
      const highlighted = chat.sidebar.locator("[data-highlighted]");
      await expect(highlighted).toHaveText([/New Chat/]);
      await page.clock.runFor(450);
      await expect(highlighted).toHaveCount(1);
      await page.clock.runFor(200);
      await expect(highlighted).toHaveCount(0);
    },
  );

  test(
    "is created by a request with an empty object, and the composer gets the focus",
    coreOnBoth,
    async ({ chat, page }) => {
      await chat.open();
      const created = page.waitForRequest((request) => request.method() === "POST");
      await chat.newThreadButton.click();
      expect((await created).postDataJSON()).toEqual({});
      await expect(chat.threads).toHaveCount(2);
      await expect(chat.composer).toBeFocused();
    },
  );

  test("can be created with «Повторить» after a failure", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.seed({ title: "Прежний", turns: [["а", "б"]] });
    await chat.open();
    await chat.stub("POST", /\/api\/debug\/threads$/, { status: 503, body: "занято" }, 1);
    await chat.newThreadButton.click();
    await chat.sidebar.getByRole("button", { name: "Повторить" }).click();
    await expect(chat.threads).toHaveCount(2);
    await expect(chat.sidebar.getByRole("button", { name: "Повторить" })).toHaveCount(0);
  });
});

test.describe("choosing a thread", () => {
  test("shows its messages and its address", both, async ({ chat }) => {
    const [older, newer] = await chat.seed(
      { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
      { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
    );
    await chat.open();
    await expect.poll(() => chat.threadId()).toBe(newer);
    await chat.rowLink("Первый").click();
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
    await expect(chat.answerTexts).toHaveText([/ответ один/]);
    await expect(chat.title).toHaveText("Первый");
    await expect.poll(() => chat.threadId()).toBe(older);
  });

  test("shows «Загружаю историю…» until history arrives", core, async ({ chat, page }) => {
    const [older] = await chat.seed(
      { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
      { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
    );
    const held = gate();
    await page.route(new RegExp(`${older}/messages$`), async (route) => {
      await held.opened;
      await route.fallback();
    });
    await chat.open();
    await chat.rowLink("Первый").click();
    await expect(chat.root.getByText("Загружаю историю…")).toBeVisible();
    await expect(chat.messages).toHaveCount(0);
    await expect(chat.root.getByText("Привет!")).toBeHidden();
    held.open();
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
    await expect(chat.root.getByText("Загружаю историю…")).toHaveCount(0);
  });

  test("shows a thread from memory if it was shown before", core, async ({ chat, page }) => {
    await chat.seed(
      { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
      { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
    );
    await chat.open();
    await chat.rowLink("Первый").click();
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
    // From here on no history request gets a response, so the messages come from memory.
    await page.route(/\/messages$/, () => undefined);
    await chat.rowLink("Второй").click();
    await expect(chat.questionTexts).toHaveText(["вопрос два"]);
    await expect(chat.root.getByText("Загружаю историю…")).toHaveCount(0);
    await chat.rowLink("Первый").click();
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  });

  test("offers «Повторить» when the history cannot be loaded", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    const [older] = await chat.seed(
      { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["вопрос один", "ответ один"]] },
      { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["вопрос два", "ответ два"]] },
    );
    await chat.open();
    await chat.stub("GET", new RegExp(`${older}/messages$`), { status: 500, body: "сломано" }, 1);
    await chat.rowLink("Первый").click();
    await chat.retryButton.click();
    await expect(chat.questionTexts).toHaveText(["вопрос один"]);
  });
});

test.describe("sending a question", () => {
  test("moves the thread to the top and highlights it for 600 ms", coreOnBoth, async ({ chat, page }) => {
    await page.clock.install();
    await chat.seed(
      { title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] },
      { title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["в", "г"]] },
    );
    await chat.open();
    await chat.rowLink("Первый").click();
    await expect(chat.questionTexts).toHaveText(["а"]);
    await expect(chat.group("Ранее").getByRole("listitem")).toHaveText([/Второй/, /Первый/]);
    await chat.composer.fill("Ещё вопрос");
    await chat.freezeClock();
    await chat.composer.press("Enter");
    await page.clock.runFor(50);
    await expect(chat.group("Сегодня").getByRole("listitem")).toHaveText([/Первый/]);
    await expect(chat.threads).toHaveText([/Первый/, /Второй/]);
    await expect(
      chat
        .row("Первый")
        .and(chat.sidebar.locator("[data-highlighted]"))
        .or(chat.row("Первый").locator("[data-highlighted]")),
    ).toHaveCount(1);
    await page.clock.runFor(500);
    await expect(chat.sidebar.locator("[data-highlighted]")).toHaveCount(1);
    await page.clock.runFor(200);
    await expect(chat.sidebar.locator("[data-highlighted]")).toHaveCount(0);
  });
});

test("a long thread list loads older threads page by page", async ({ chat }) => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  await chat.seed(
    ...Array.from({ length: 205 }, (_, index) => ({ title: `Чат ${index}`, at: new Date(start + index * 60_000) })),
  );
  await chat.open();
  await expect(chat.row("Чат 204")).toBeVisible();
  await expect(chat.threads).toHaveCount(200);
  await chat.threads.last().scrollIntoViewIfNeeded();
  const more = chat.sidebar.getByRole("button", { name: /ещё|раньше|старые/i });
  if (await more.isVisible()) await more.click();
  await expect(chat.threads).toHaveCount(205);
});

test.describe("the sidebar", () => {
  test("opens the link of the product's title in a new tab", core, async ({ chat, page, site }) => {
    await chat.open();
    const link = chat.sidebar.getByRole("link", { name: /^Nitka/ });
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /noreferrer|noopener/);
    const opened = page.context().waitForEvent("page");
    await link.click();
    expect((await opened).url()).toBe(`${site.origin}/`);
  });

  test("shows the product's title and link from the config", async ({ chat }) => {
    await chat.config({ title: "Справочная", titleUrl: "https://example.com/about" });
    await chat.open();
    await expect(chat.sidebar.getByRole("link", { name: /^Справочная/ })).toHaveAttribute(
      "href",
      "https://example.com/about",
    );
  });

  test(
    "links «Обратная связь» to a messenger bot, and the config can change or hide the link",
    core,
    async ({ chat, page }) => {
      await chat.open();
      const link = chat.sidebar.getByRole("link", { name: "Обратная связь" });
      await expect(link).toHaveAttribute("href", "https://t.me/nitka_feedback_bot");
      await chat.config({ feedbackUrl: "https://t.me/another_bot" });
      await page.reload();
      await expect(link).toHaveAttribute("href", "https://t.me/another_bot");
      await chat.config({ feedbackUrl: false });
      await page.reload();
      await expect(chat.newThreadButton).toBeVisible();
      await expect(link).toHaveCount(0);
    },
  );
});
