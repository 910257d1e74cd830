/** Dictation and reading aloud, with a scripted speech engine. */
import type { Page } from "@playwright/test";
import { gate } from "./backend.ts";
import { core, expect, test } from "./fixtures.ts";
import { scriptedSpeech, withoutSpeech } from "./scripted-speech.ts";
import type { ScriptedSpeech } from "./scripted-speech.ts";

const voice = { voice: { input: true, output: true } };
const head = { head: scriptedSpeech };
const DICTATE = "Диктовать";
const STOP_DICTATION = "Остановить запись";
const READ = "Прочитать вслух";
const STOP_READING = "Остановить чтение";

const speak = (page: Page, act: (speech: ScriptedSpeech) => void) =>
  page.evaluate(`(${act.toString()})(window.speech)`);
const logOf = (page: Page) => page.evaluate(() => window.speech.log);
/** The texts that were read, without the cancels and the language tags. */
const readOf = async (page: Page) =>
  (await logOf(page)).filter((entry) => entry.startsWith("speak")).map((entry) => entry.replace(/^speak \S+ /, ""));

test("only their buttons start dictation and reading, which are absent without the config or the browser's speech", async ({
  chat,
  page,
}) => {
  await test.step("without `voice` in the config", async () => {
    await chat.open("/", head);
    await chat.converse("Привет");
    await expect(chat.button("Копировать").first()).toBeVisible();
    await expect(chat.button(DICTATE).or(chat.button(READ))).toHaveCount(0);
  });
  await chat.config(voice);
  await test.step("without the browser's speech", async () => {
    const loaded = page.waitForResponse(/\/voice-[\w-]+\.js/);
    await chat.open("/", { head: withoutSpeech });
    await loaded;
    await expect(chat.answers).toHaveCount(1);
    await expect(chat.button(DICTATE).or(chat.button(READ))).toHaveCount(0);
  });
  await test.step("nothing is requested before a press", async () => {
    await chat.open("/", head);
    await expect(chat.button(DICTATE)).toBeVisible();
    await expect(chat.button(READ)).toBeVisible();
    expect(await logOf(page)).toEqual([]);
  });
});

test(
  "dictated text appears in the draft at the caret as it is heard, and is never sent",
  core,
  async ({ chat, page }) => {
    await chat.config(voice);
    await chat.open("/", head);
    const caret = () => chat.composer.evaluate((field: HTMLTextAreaElement) => field.selectionEnd);
    await chat.composer.fill("Купить и сварить");
    await chat.composer.press("Home");
    for (let step = 0; step < "Купить".length; step += 1) await chat.composer.press("ArrowRight");
    await chat.button(DICTATE).click();
    await expect(chat.button(STOP_DICTATION)).toHaveAttribute("aria-busy", "true");
    await speak(page, (speech) => speech.begin());
    await expect(chat.root.locator(".voice-note")).toHaveText("Идёт запись…");
    await expect(chat.root.locator("[aria-live]")).toContainText("Идёт запись…");
    await speak(page, (speech) => speech.hear("моло…"));
    await expect(chat.composer).toHaveValue("Купить моло и сварить");
    await speak(page, (speech) => speech.hear("молоко", " рис…"));
    await expect(chat.composer).toHaveValue("Купить молоко рис и сварить");
    expect(await caret()).toBe("Купить молоко рис".length);

    await test.step("text that the visitor types meanwhile stays, and later speech continues after it", async () => {
      await expect(chat.composer).toBeFocused();
      await page.keyboard.type(",");
      await speak(page, (speech) => speech.hear("молоко", " рис", " гречку"));
      await expect(chat.composer).toHaveValue("Купить молоко рис, гречку и сварить");
    });
    await test.step("the last words come after the stop, and nothing was sent", async () => {
      await chat.button(STOP_DICTATION).click();
      await speak(page, (speech) => {
        speech.hear("молоко", " рис", " гречку", " соль");
        speech.finish();
      });
      await expect(chat.button(DICTATE)).toBeVisible();
      await expect(chat.composer).toHaveValue("Купить молоко рис, гречку соль и сварить");
      await expect(chat.root.locator("[aria-live]")).toContainText("Запись закончена.");
      await expect(chat.questions).toHaveCount(0);
      expect(await logOf(page)).toEqual(["start ru-RU", "stop", "abort"]);
    });
    await test.step("a sent draft gets no more speech", async () => {
      await chat.button(DICTATE).click();
      await speak(page, (speech) => (speech.begin(), speech.hear("перец…")));
      await chat.composer.press("Enter");
      await expect(chat.questionTexts).toHaveText(["Купить молоко рис, гречку соль перец и сварить"]);
      await expect(chat.button(DICTATE)).toBeVisible();
      await expect(chat.composer).toHaveValue("");
      expect((await logOf(page)).slice(3)).toEqual(["start ru-RU", "abort"]);
    });
  },
);

test(
  "a recording ends with Escape (which then does nothing else), another thread, a hidden page, another widget and the widget's own end",
  core,
  async ({ chat, page, site }) => {
    const more = gate();
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "Пишу" };
      await more.opened;
    };
    await chat.config(voice);
    await chat.open("/", { ...head, body: `<div id="chat"></div><div id="other"></div>` });
    const dictate = async () => {
      await chat.button(DICTATE).click();
      await speak(page, (speech) => (speech.log.splice(0), speech.begin(), speech.hear("слово…")));
      await expect(chat.composer).toHaveValue(/слово/);
    };
    const ended = async (...log: readonly string[]) => {
      await expect(chat.button(DICTATE)).toBeVisible();
      expect(await logOf(page)).toEqual(log);
    };
    await test.step("Escape, which stops no answer", async () => {
      await chat.ask("Вопрос");
      await expect(chat.stopButton).toBeVisible();
      await dictate();
      await chat.composer.press("Escape");
      await speak(page, (speech) => speech.finish());
      await ended("stop", "abort");
      await expect(chat.stopButton).toBeVisible();
      await expect(chat.composer).toHaveValue("слово");
      await chat.composer.press("Escape");
      await chat.idle();
    });
    await test.step("another thread, whose draft hears nothing", async () => {
      await dictate();
      await chat.newThreadButton.click();
      await ended("abort");
      await expect(chat.composer).toHaveValue("");
    });
    await test.step("a hidden page", async () => {
      await dictate();
      await page.evaluate(() => {
        Object.defineProperty(document, "hidden", { configurable: true, value: true });
        document.dispatchEvent(new Event("visibilitychange"));
        Reflect.deleteProperty(document, "hidden");
      });
      await ended("abort");
    });
    await test.step("another widget's recording, and its end", async () => {
      await page.evaluate(`window.other = Nitka.init({ target: "#other", routing: "none", layout: "inline" })`);
      const other = page.locator("#other nitka-chat");
      const first = page.locator("#chat nitka-chat");
      // The stored draft, which would end a recording that begins before the draft is restored.
      await expect(other.getByRole("textbox", { name: "Сообщение" })).toHaveValue("слово");
      await first.getByRole("button", { name: DICTATE }).click();
      await speak(page, (speech) => {
        speech.log.splice(0);
        speech.begin();
      });
      await other.getByRole("button", { name: DICTATE }).click();
      await expect(first.getByRole("button", { name: DICTATE })).toBeVisible();
      await expect(other.getByRole("button", { name: STOP_DICTATION })).toBeVisible();
      expect(await logOf(page)).toEqual(["start ru-RU"]);
      await page.evaluate("window.other.destroy()");
      await expect.poll(() => logOf(page)).toEqual(["start ru-RU", "abort"]);
    });
    more.open();
  },
);

test("a recording that begins before the stored draft is there goes on behind it, and loses nothing", async ({
  chat,
  page,
}) => {
  await chat.config(voice);
  await chat.open("/", head);
  await chat.composer.fill("Купить хлеб");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Купить хлеб");
  let more = gate();
  await page.route(/\/persist-drafts-[\w-]+\.js/, (route) => more.opened.then(() => route.fallback()));
  const dictate = async () => {
    more = gate();
    await page.reload();
    await chat.button(DICTATE).click();
    await speak(page, (speech) => speech.begin());
  };
  await test.step("with words that were heard before it, of which one still changes", async () => {
    await dictate();
    await speak(page, (speech) => speech.hear("и моло…"));
    await expect(chat.composer).toHaveValue("и моло");
    more.open();
    await expect(chat.composer).toHaveValue("Купить хлеб\nи моло");
    expect(await chat.composer.evaluate((field: HTMLTextAreaElement) => field.selectionEnd)).toBe(18);
    await speak(page, (speech) => speech.hear("и молоко", " рис"));
    await expect(chat.composer).toHaveValue("Купить хлеб\nи молоко рис");
    await expect(chat.button(STOP_DICTATION)).toBeVisible();
  });
  await test.step("before a word was heard", async () => {
    await dictate();
    more.open();
    await expect(chat.composer).toHaveValue("Купить хлеб\nи молоко рис");
    await speak(page, (speech) => speech.hear("соль"));
    await expect(chat.composer).toHaveValue("Купить хлеб\nи молоко рис соль");
  });
  await test.step("but not behind a text that the page puts in its place", async () => {
    await page.evaluate(() => window.chat.setDraft("Другое"));
    await expect(chat.button(DICTATE)).toBeVisible();
    await expect(chat.composer).toHaveValue("Другое");
  });
});

test("a dictation that fails is explained beside the button, until the draft changes", async ({ chat, page }) => {
  await chat.config(voice);
  await chat.goto("/", { ...head, options: `{ target: "#chat", locale: "en" }` });
  const note = chat.root.locator(".voice-note");
  const failWith = async (code: string, text: string) => {
    await chat.root.getByRole("button", { name: "Dictate" }).click();
    await page.evaluate((error) => window.speech.fail(error), code);
    await expect(note).toHaveText(text);
    await expect(chat.root.locator("[aria-live]")).toContainText(text);
    await expect(chat.root.getByRole("button", { name: "Dictate" })).toBeVisible();
  };
  await failWith("not-allowed", "No access to the microphone. Allow it for this site in the browser's settings.");
  await failWith("audio-capture", "No microphone was found. Connect one and try again.");
  await failWith("network", "The speech recognition service cannot be reached. Try again, or type the text.");
  await failWith("no-speech", "Nothing was heard. Check the microphone and try again.");
  await failWith("bad-grammar", "The speech was not recognized. Try again.");
  expect((await logOf(page))[0]).toBe("start en-US");
  await chat.root.locator("[data-composer]").fill("By hand");
  await expect(note).toHaveCount(0);
});

test(
  "an answer is read aloud sentence by sentence while it is written, as words and in its own language",
  core,
  async ({ chat, page, site }) => {
    const more = gate();
    site.script.answer = async function* () {
      yield { type: "text-delta", delta: "## Погода\n\nСегодня **ясно**. [Прогноз](https://a.example/b) то" };
      await more.opened;
      yield {
        type: "text-delta",
        delta: "чен.\n\n```js\nlet a = 1;\n```\n\n$$\n\\frac{a}{b}\n$$\n\nСмотрите https://www.example.com/x/y?z.",
      };
    };
    await chat.config(voice);
    await chat.open("/", head);
    await chat.ask("Погода?");
    await chat.button(READ).click();
    await expect(chat.button(STOP_READING)).toBeVisible();
    expect(await logOf(page)).toEqual(["cancel", "speak ru-RU Погода"]);
    await speak(page, (speech) => (speech.readOn(), speech.readOn()));
    expect(await readOf(page)).toEqual(["Погода", "Сегодня ясно."]);
    more.open();
    await chat.idle();
    await expect(chat.button(STOP_READING)).toBeVisible();
    for (let piece = 0; piece < 5; piece += 1) await speak(page, (speech) => speech.readOn());
    expect((await readOf(page)).slice(2)).toEqual(["Прогноз точен.", "Код.", "формула", "Смотрите example.com"]);
    await expect(chat.button(READ)).toBeVisible();
    await expect(chat.root.locator("[aria-live]")).toContainText("Ответ прочитан.");
    expect(await logOf(page)).not.toContain("voices");

    await test.step("a long sentence is cut where one would breathe", async () => {
      const long = `${"слово ".repeat(28)}слово, ${"дальше ".repeat(28)}конец.`;
      site.script.answer = () => [{ type: "text-delta", delta: long }];
      await chat.converse("Длинно");
      await speak(page, (speech) => void speech.log.splice(0));
      await chat.button(READ).last().click();
      for (let piece = 0; piece < 5; piece += 1) await speak(page, (speech) => speech.readOn());
      const pieces = await readOf(page);
      expect(pieces.length).toBeGreaterThan(2);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(180);
      expect(pieces.join(" ")).toBe(long);
    });
  },
);

test("one answer is read at a time, until its button, another thread, another widget or the end of this one stops it", async ({
  chat,
  page,
  site,
}) => {
  site.script.answer = ({ text }) => [{ type: "text-delta", delta: `${text} раз. Два. Three.` }];
  await chat.config(voice);
  await chat.open("/", head);
  await chat.converse("Первый");
  await chat.converse("Второй");
  const begin = async (index: number) => {
    await speak(page, (speech) => void speech.log.splice(0));
    await chat.answers.nth(index).getByRole("button", { name: READ }).click();
    await expect(chat.answers.nth(index).getByRole("button", { name: STOP_READING })).toBeVisible();
  };
  await test.step("the button", async () => {
    await begin(0);
    await chat.button(STOP_READING).click();
    expect(await logOf(page)).toEqual(["cancel", "speak ru-RU Первый раз.", "cancel"]);
  });
  await test.step("another answer", async () => {
    await begin(0);
    await chat.answers.nth(1).getByRole("button", { name: READ }).click();
    await expect(chat.button(STOP_READING)).toHaveCount(1);
    expect((await logOf(page)).slice(2)).toEqual(["cancel", "cancel", "speak ru-RU Второй раз."]);
  });
  await test.step("dictation, which would hear it", async () => {
    await chat.button(DICTATE).click();
    await expect(chat.button(STOP_READING)).toHaveCount(0);
    await chat.composer.press("Escape");
    await speak(page, (speech) => speech.finish());
    await expect(chat.button(DICTATE)).toBeVisible();
  });
  await test.step("another version of it", async () => {
    await begin(1);
    await chat.button("Сгенерировать заново").last().click();
    await expect(chat.button(STOP_READING)).toHaveCount(0);
    await chat.idle();
  });
  await test.step("another thread", async () => {
    await begin(0);
    await chat.newThreadButton.click();
    await expect.poll(async () => (await logOf(page)).at(-1)).toBe("cancel");
  });
  await test.step("a failure, which is explained there", async () => {
    await chat.converse("Третий");
    await begin(0);
    await speak(page, (speech) => speech.failReading("voice-unavailable"));
    await expect(chat.root.locator(".reading-note")).toHaveText("В браузере нет голоса для этого языка.");
    await expect(chat.button(READ)).toBeVisible();
  });
  await test.step("the end of the widget", async () => {
    await begin(0);
    await page.evaluate(() => window.chat.destroy());
    await expect.poll(async () => (await logOf(page)).at(-1)).toBe("cancel");
  });
});

test("before the visitor agrees to the project's consent, a press asks for that, and the microphone stays off", async ({
  chat,
  page,
}) => {
  await chat.config(voice);
  await chat.open("/", { ...head, options: `{ target: "#chat", projectId: "consenting" }` });
  const agree = chat.button("Согласиться и отправить");
  await chat.button(DICTATE).click();
  await expect(agree).toBeEnabled();
  expect(await logOf(page)).toEqual([]);
  await agree.click();
  await expect.poll(() => logOf(page)).toEqual(["start ru-RU"]);
  await expect(chat.button(STOP_DICTATION)).toBeVisible();
  await expect(chat.questions).toHaveCount(0);
});
