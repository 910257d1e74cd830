import type { Locator } from "@playwright/test";
import { gate } from "./backend.ts";
import { both, core, expect, motion, test } from "./fixtures.ts";

test.use(motion);

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const iPadAsMac =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";

test.describe("the composer's field", () => {
  test("grows with its text, and sends on Enter", core, async ({ chat }) => {
    await chat.open();
    await test.step("has the placeholder «Напишите что-нибудь...» and one row, and is 64 to 128 px high", async () => {
      await expect(chat.composer).toHaveAttribute("placeholder", "Напишите что-нибудь...");
      await expect(chat.composer).toHaveAttribute("rows", "1");
      const height = async () => (await chat.composer.boundingBox())?.height;
      expect(await height()).toBe(64);
      await chat.composer.fill("строка\n".repeat(4));
      const grown = (await height()) ?? 0;
      expect(grown).toBeGreaterThan(64);
      expect(grown).toBeLessThanOrEqual(128);
      await chat.composer.fill("строка\n".repeat(40));
      await expect.poll(height).toBe(128);
      await chat.composer.fill("");
      await expect.poll(height).toBe(64);
    });

    await test.step("sends its text and empties itself on Enter, and adds a line on Shift+Enter", async () => {
      await chat.composer.fill("первая");
      await chat.composer.press("Shift+Enter");
      await chat.composer.pressSequentially("вторая");
      await expect(chat.composer).toHaveValue("первая\nвторая");
      await expect(chat.questions).toHaveCount(0);
      await chat.composer.press("Enter");
      await expect(chat.questions).toHaveCount(1);
      expect(await chat.questions.innerText()).toContain("первая\nвторая");
      await expect(chat.composer).toHaveValue("");
      await chat.idle();
    });

    await test.step("does not send on the Enter that ends an input method's composition", async () => {
      await chat.composer.fill("にほん");
      await pressWhileComposing(chat.composer, { isComposing: true });
      await pressWhileComposing(chat.composer, { isComposing: false, keyCode: 229 });
      await expect(chat.questions).toHaveCount(1);
      await chat.composer.press("Enter");
      await expect(chat.questions).toHaveCount(2);
    });
  });

  test("keeps a draft for each thread", async ({ chat }) => {
    await chat.seed({ title: "Первый", at: new Date("2026-03-01T10:00:00Z"), turns: [["а", "б"]] });
    await chat.seed({ title: "Второй", at: new Date("2026-03-02T10:00:00Z"), turns: [["в", "г"]] });
    await chat.open();
    await chat.composer.fill("ко второму");
    await chat.rowLink("Первый").click();
    await expect(chat.composer).toHaveValue("");
    await chat.composer.fill("к первому");
    await chat.rowLink("Второй").click();
    await expect(chat.composer).toHaveValue("ко второму");
    await chat.rowLink("Первый").click();
    await expect(chat.composer).toHaveValue("к первому");
  });
});

for (const [name, userAgent, touchPoints] of [
  ["iPhone", iPhone, 5],
  ["iPad that reports itself as a Mac", iPadAsMac, 5],
] as const) {
  test.describe(`on an ${name}`, () => {
    test.use({ userAgent, hasTouch: true });
    test("Enter adds a line, and the button sends", core, async ({ chat, page }) => {
      await page.addInitScript(
        ({ touchPoints, platform }) => {
          Object.defineProperty(Navigator.prototype, "maxTouchPoints", { get: () => touchPoints });
          Object.defineProperty(Navigator.prototype, "platform", { get: () => platform });
        },
        { touchPoints, platform: name === "iPhone" ? "iPhone" : "MacIntel" },
      );
      await chat.open();
      await chat.composer.fill("первая");
      await chat.composer.press("Enter");
      await expect(chat.composer).toHaveValue("первая\n");
      await expect(chat.questions).toHaveCount(0);
      await chat.sendButton.click();
      await expect(chat.questionTexts).toHaveText(["первая"]);
    });
  });
}

test.describe("on a Mac without touch", () => {
  test.use({ userAgent: iPadAsMac });
  test("Enter sends", async ({ chat }) => {
    await chat.open();
    await chat.ask("Привет");
    await expect(chat.questionTexts).toHaveText(["Привет"]);
  });
});

test.describe("sending", () => {
  test("requires a text that is not only white space", core, async ({ chat }) => {
    await chat.open();
    for (const text of ["", "   ", "\n\n", " \u00a0\t "]) {
      await chat.composer.fill(text);
      await expect(chat.sendButton).toBeDisabled();
      await chat.composer.press("Enter");
    }
    await expect(chat.questions).toHaveCount(0);
    await chat.composer.fill("а");
    await expect(chat.sendButton).toBeEnabled();
    await chat.sendButton.click();
    await expect(chat.questionTexts).toHaveText(["а"]);
  });

  test(
    "is disabled while the thread runs, and the stop button replaces the send button",
    core,
    async ({ chat, site }) => {
      const held = gate();
      site.script.answer = async function* () {
        yield { type: "text-delta", delta: "Думаю" };
        await held.opened;
      };
      await chat.open();
      await chat.ask("Первый");
      await expect(chat.stopButton).toBeVisible();
      await expect(chat.sendButton).toHaveCount(0);
      await chat.composer.fill("Второй");
      await chat.composer.press("Enter");
      await expect(chat.composer).toHaveValue("Второй");
      await expect(chat.questionTexts).toHaveText(["Первый"]);
      held.open();
      await chat.idle();
      await expect(chat.sendButton).toBeEnabled();
      await chat.composer.press("Enter");
      await expect(chat.questionTexts).toHaveText(["Первый", "Второй"]);
    },
  );

  test("appends the question and an empty answer before the server responds", core, async ({ chat, page }) => {
    await chat.open();
    const held = gate();
    await page.route(/run\/stream/, async (route) => {
      await held.opened;
      await route.fallback();
    });
    await chat.ask("Привет");
    await expect(chat.questionTexts).toHaveText(["Привет"]);
    await expect(chat.answers).toHaveCount(1);
    await expect(chat.stopButton).toBeVisible();
    held.open();
    await expect(chat.answerTexts).toHaveText([/Ответ на «Привет»\./]);
  });

  test("twice at the same moment starts one run", both, async ({ chat, page }) => {
    const runs: string[] = [];
    page.on("request", (request) => void (request.url().includes("run/stream") && runs.push(request.url())));
    await chat.open();
    await chat.composer.fill("Привет");
    await chat.composer.evaluate((field) => {
      const enter = () =>
        field.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, cancelable: true }),
        );
      enter();
      enter();
    });
    await expect(chat.answerTexts).toHaveText([/Ответ на/]);
    await chat.idle();
    await expect(chat.questions).toHaveCount(1);
    expect(runs).toHaveLength(1);
  });
});

test.describe("stopping", () => {
  for (const how of ["the button", "Escape"] as const) {
    test(`with ${how} ends the run and keeps the text so far`, both, async ({ chat, site, page }) => {
      const held = gate();
      const cancelled = gate();
      site.script.answer = async function* ({ signal }) {
        signal.addEventListener("abort", () => cancelled.open());
        yield { type: "text-delta", delta: "Половина ответа" };
        await held.opened;
        yield { type: "text-delta", delta: " и вторая половина" };
      };
      await chat.open();
      await chat.ask("Привет");
      await expect(chat.answerTexts).toHaveText([/Половина ответа/]);
      if (how === "Escape") await chat.composer.press("Escape");
      else await chat.stopButton.click();
      await chat.idle();
      await expect(chat.answerTexts).toHaveText([/Половина ответа/]);
      // The widget shows the end at once. The backend receives it later.
      await cancelled.opened;
      held.open();
      await page.reload();
      await expect(chat.answerTexts).toHaveText([/Половина ответа/]);
      await expect(chat.answers).not.toHaveText([/вторая половина/]);
      await chat.converse("Дальше");
      await expect(chat.questionTexts).toHaveText(["Привет", "Дальше"]);
    });
  }

  test("with Escape changes nothing while no run is active", async ({ chat }) => {
    await chat.open();
    await chat.composer.fill("черновик");
    await chat.composer.press("Escape");
    await expect(chat.composer).toHaveValue("черновик");
  });
});

test.describe("an empty thread", () => {
  test("greets the visitor and offers two suggestions", core, async ({ chat }) => {
    await chat.open();
    await expect(chat.root.getByText("Привет!", { exact: true })).toBeVisible();
    await expect(chat.root.getByText("Чем я могу помочь тебе?", { exact: true })).toBeVisible();
    await expect(chat.button("Какая погода в Сан-Франциско?")).toBeVisible();
    await expect(chat.button("Помоги написать эссе о приложениях с ИИ-чатом")).toBeVisible();
  });

  test("offers suggestions that replace the composer's text and are sent at once", core, async ({ chat }) => {
    await chat.open();
    await chat.composer.fill("начатое и забытое");
    await chat.button("Какая погода в Сан-Франциско?").click();
    await expect(chat.questionTexts).toHaveText(["Какая погода в Сан-Франциско?"]);
    await expect(chat.composer).toHaveValue("");
    await expect(chat.answerTexts).toHaveText([/Ответ на «Какая погода в Сан-Франциско\?»/]);
    await expect(chat.root.getByText("Чем я могу помочь тебе?")).toHaveCount(0);
  });

  test("shows the config's suggestions, and only two of them on a narrow screen", core, async ({ chat, page }) => {
    await chat.config({
      suggestions: [
        { title: "Один", prompt: "Первый вопрос" },
        { title: "Два", prompt: "Второй вопрос" },
        { title: "Три", prompt: "Третий вопрос" },
        { title: "Четыре", prompt: "Четвёртый вопрос" },
      ],
    });
    await chat.open();
    for (const name of ["Один", "Два", "Три", "Четыре"]) await expect(chat.button(name)).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(chat.button("Три")).toBeHidden();
    await expect(chat.button("Четыре")).toBeHidden();
    await expect(chat.button("Один")).toBeVisible();
    await chat.button("Два").click();
    await expect(chat.questionTexts).toHaveText(["Второй вопрос"]);
  });
});

test("a question that is sent before the threads have loaded goes out once they have loaded", async ({ chat }) => {
  const held = await chat.holdThreadList();
  await chat.goto();
  await chat.composer.fill("Первый вопрос");
  await chat.composer.press("Enter");
  await expect(chat.composer).toHaveValue("Первый вопрос");
  held.open();
  await expect(chat.questionTexts).toHaveText(["Первый вопрос"]);
  await expect(chat.composer).toHaveValue("");
});

test("a question that is changed after Enter, before the threads have loaded, stays in the composer", async ({
  chat,
}) => {
  const held = await chat.holdThreadList();
  await chat.goto();
  await chat.composer.fill("Первый");
  await chat.composer.press("Enter");
  await chat.composer.press("End");
  await chat.composer.pressSequentially(" вопрос");
  held.open();
  await chat.opened();
  await expect(chat.composer).toHaveValue("Первый вопрос");
  await expect(chat.questionTexts).toHaveCount(0);
});

test("a question is not lost when sending fails, and «Повторить» sends it once", both, async ({ chat, console }) => {
  console.allow(/Failed to load resource|Upstream|fetch/i);
  await chat.open();
  await chat.stub("POST", /run\/stream/, "network error", 1);
  await chat.ask("Важный вопрос");
  await chat.recover(/Ответ на «Важный вопрос»/);
  await expect(chat.questionTexts).toHaveText(["Важный вопрос"]);
  await chat.page.reload();
  await expect(chat.questionTexts).toHaveText(["Важный вопрос"]);
});

async function pressWhileComposing(
  field: Locator,
  init: { readonly isComposing: boolean; readonly keyCode?: number },
): Promise<void> {
  await field.evaluate((element, init) => {
    element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, cancelable: true, ...init }),
    );
  }, init);
}
