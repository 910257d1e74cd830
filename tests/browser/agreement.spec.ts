/**
 * The notices beside the composer: the line that an AI answers, and the consent that a visitor gives before the first question.
 */
import type { Locator, Request } from "@playwright/test";
import { text } from "./files.ts";
import { core, expect, test } from "./fixtures.ts";
import { scriptedSpeech } from "./scripted-speech.ts";
import { consent } from "./server-backend.ts";

test("a line below the composer says that an AI answers, with the host's text and link", async ({ chat, page }) => {
  const line = chat.root.locator(".ai-notice");
  await test.step("by default in the widget's words, without a link", async () => {
    await chat.open();
    await expect(line).toHaveText("Отвечает ИИ и может ошибаться.");
    await expect(line.getByRole("link")).toHaveCount(0);
  });
  await test.step("with a link to the host's page", async () => {
    await chat.config({ notice: { text: "Отвечает робот.", url: "/about-ai" } });
    await chat.open();
    await expect(line).toHaveText("Отвечает робот. Подробнее");
    const link = line.getByRole("link", { name: "Подробнее" });
    await expect(link).toHaveAttribute("href", "/about-ai");
    await expect(link).toHaveAttribute("target", "_blank");
  });
  await test.step("whose address is no script", async () => {
    await chat.config({ notice: { url: "javascript:alert(1)" } });
    await chat.open();
    await expect(line.getByRole("link")).toHaveCount(0);
  });
  await test.step("and not at all where the backend names none", async () => {
    await page.unrouteAll();
    await page.route("**/api/projects/*/config", (route) => route.fulfill({ json: {} }));
    await chat.open();
    await expect(line).toHaveCount(0);
  });
});

const asking = { head: scriptedSpeech, options: `{ target: "#chat", projectId: "consenting" }` };
const AGREE = "Согласиться и отправить";
const SECRET = /тайна|secret|0YLQsNC50L3QsA/i;

test(
  "nothing that a visitor writes, attaches or lets the page send leaves the page before they agree",
  core,
  async ({ chat, page, context, console }) => {
    console.allow(/consent|the widget is destroyed/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const bodies: string[] = [];
    const record = (request: Request) =>
      bodies.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`);
    page.on("request", record);
    const agree = chat.button(AGREE);
    const file = text("тайна.txt", "тайна");
    const drop = (kind: "drop" | "paste", on: string) =>
      chat.root.locator(on).evaluate((element, type) => {
        const data = new DataTransfer();
        data.items.add(new File(["тайна"], "тайна.txt", { type: "text/plain" }));
        const how = { bubbles: true, cancelable: true, composed: true };
        if (type === "paste") element.dispatchEvent(new ClipboardEvent("paste", { ...how, clipboardData: data }));
        else
          for (const each of ["dragover", "drop"])
            element.dispatchEvent(new DragEvent(each, { ...how, dataTransfer: data }));
      }, kind);
    const handle = (call: string) => page.evaluate(`void window.chat.${call}.catch(() => undefined)`);
    const newFile = `new File(["тайна"], "тайна.txt")`;
    const choose = async () => {
      const chooser = page.waitForEvent("filechooser");
      await chat.button("Добавить вложение").click();
      await (await chooser).setFiles([file]);
    };
    const paste = async (written: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), written);
      await chat.composer.press("ControlOrMeta+v");
    };
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      "types it": () => chat.composer.pressSequentially("тайна"),
      "fills it in": () => chat.composer.fill("моя тайна"),
      "pastes text": () => paste(" и тайна"),
      "pastes a long text, which becomes a file": async () => {
        await paste("тайна ".repeat(800));
        await chat.button("Вставить файлом").click();
      },
      "chooses a file": choose,
      "chooses another": choose,
      "drops a file on the composer": () => drop("drop", ".composer-input"),
      "drops a file on the thread": () => drop("drop", ".empty-thread, .thread-viewport"),
      "pastes a file": () => drop("paste", ".composer-input"),
      dictates: async () => {
        await chat.button("Диктовать").click();
        expect(await page.evaluate(() => window.speech.log)).toEqual([]);
      },
      "removes one": () => chat.button("Удалить вложение").first().click(),
      "goes to a new chat": () => chat.newThreadButton.click(),
      "writes there": () => chat.composer.fill("и здесь тайна"),
      "presses Escape": () => page.keyboard.press("Escape"),
      "breaks a line": () => chat.composer.press("Shift+Enter"),
      "presses a suggestion": () => chat.root.getByRole("button", { name: "Секрет" }).click(),
      "calls send": () => handle(`send("тайна")`),
      "calls send with a file": () => handle(`send("тайна", { files: [${newFile}] })`),
      "calls send for a thread": () => handle(`send("тайна", { threadId: "нет" })`),
      "calls send twice at once": () =>
        page.evaluate(`for (const n of [1, 2]) void chat.send("тайна " + n).catch(() => undefined)`),
      "calls setDraft": () => handle(`setDraft("тайна")`),
      "calls newThread": () => handle(`newThread()`),
      "calls stop": () => handle(`stop()`),
      "goes offline and back": async () => {
        await page.context().setOffline(true);
        await page.context().setOffline(false);
      },
      "reloads with a draft": async () => {
        await page.reload();
        await chat.opened();
      },
    };
    expect(Object.keys(ways).length).toBeGreaterThanOrEqual(20);
    await chat.config({ suggestions: [{ title: "Секрет", prompt: "тайна" }], voice: { input: true } });
    await chat.open("/", asking);
    await expect(chat.root.locator(".consent-note")).toHaveText(`${consent.text} Подробнее`);
    await expect(agree).toHaveAccessibleDescription(`${consent.text} Подробнее`);
    await expect(chat.sendButton).toHaveCount(0);
    const expectSilence = () => {
      expect(bodies.map(decodeURIComponent).filter((body) => SECRET.test(body))).toEqual([]);
      expect(bodies.filter((body) => /run\/stream|threads\/[^ ]*\/attachments|visitor\/consent/.test(body))).toEqual(
        [],
      );
    };
    for (const [name, act] of Object.entries(ways)) {
      await test.step(name, async () => {
        await act();
        await expect(agree).toBeVisible();
        expectSilence();
      });
    }
    await test.step("and nothing of these comes later", async () => {
      await page.waitForTimeout(500);
      expectSilence();
    });
    await test.step("the first send counts as agreement, tells the server before the question, and is never asked for again", async () => {
      await chat.composer.fill("моя тайна");
      await agree.click();
      await expect(chat.questionTexts).toHaveText(["моя тайна"]);
      await chat.idle();
      const sent = bodies.filter((body) => /run\/stream|visitor\/consent/.test(body) && body.startsWith("POST"));
      expect(sent.map((body) => body.replace(/^POST \S+\/(\S+) .*$/s, "$1"))).toEqual(["consent", "stream?cursor=1"]);
      await page.reload();
      await chat.opened();
      await expect(chat.sendButton).toBeVisible();
      await expect(chat.root.locator(".consent-note")).toHaveCount(0);
    });
    await test.step("another version asks again, before anything is said about what is there already", async () => {
      await chat.config({ consent: { ...consent, version: "2027" } });
      await page.reload();
      await chat.opened();
      bodies.length = 0;
      const later: Readonly<Record<string, () => Promise<unknown>>> = {
        "writes the answer again": () => chat.button("Сгенерировать заново").click(),
        "edits the question": async () => {
          await chat.button("Редактировать").click();
          await chat.editor.fill("другая тайна");
          await chat.editor.press("Enter");
        },
        "renames the chat": async () => {
          await chat.threads.first().hover();
          await chat.button("Переименовать чат").first().click();
          const title = chat.root.getByRole("textbox", { name: "Название чата" });
          await title.fill("тайна");
          await title.press("Enter");
        },
        "rates the answer in words": async () => {
          await chat.button("Плохой ответ").click();
          const reason = chat.root.getByRole("textbox", { name: "Что не так?" });
          if (await reason.isVisible()) {
            await reason.fill("тайна");
            await reason.press("Enter");
          }
        },
      };
      for (const [name, act] of Object.entries(later)) {
        await test.step(name, async () => {
          await act();
          await expect(agree).toBeEnabled();
          expect(bodies.map(decodeURIComponent).filter((body) => /^POST|тайна/.test(body))).toEqual([]);
        });
      }
      await page.waitForTimeout(500);
      expect(bodies.map(decodeURIComponent).filter((body) => /^POST|тайна/.test(body))).toEqual([]);
      await page.reload();
      await chat.opened();
    });
    await test.step("and a server that has another one by now says to reload the page; the text stays", async () => {
      console.allow(/422/);
      await chat.composer.fill("ещё тайна");
      await agree.click();
      await expect(chat.root.locator(".composer-failure")).toContainText("Обновите страницу");
      await expect(chat.composer).toHaveValue("ещё тайна");
      expect(bodies.filter((body) => body.includes("run/stream"))).toEqual([]);
    });
  },
);

test("files wait for the agreement, a call of the handle too, and an agreement that the server forgot is asked for again", async ({
  chat,
  page,
  console,
}) => {
  console.allow(/403/);
  const agree = chat.button(AGREE);
  await chat.open("/", asking);
  const chooser = page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([text("заметка.txt", "мяу")]);
  await expect(chat.attachments).toHaveCount(1);
  await chat.composer.fill("Что здесь?");
  // Enter also counts as sending.
  await chat.composer.press("Enter");
  await expect(chat.questions.locator(chat.attachmentTile)).toHaveCount(1);
  await chat.idle();

  await test.step("erased in another page", async () => {
    await page.context().request.delete(`${chat.site.origin}/p/consenting/api/debug/visitor`);
    await chat.open("/", asking);
    await expect(chat.sendButton).toBeVisible();
    await chat.composer.fill("Вы меня помните?");
    await chat.composer.press("Enter");
    await expect(agree).toBeVisible();
  });
  await test.step("the handle's question waits, and is sent with the agreement", async () => {
    await page.reload();
    await chat.opened();
    const sent = page.evaluate(() => window.chat.newThread().then(() => window.chat.send("От страницы")));
    await expect(agree).toBeEnabled();
    await chat.composer.fill("");
    await agree.click();
    await sent;
    await expect(chat.questionTexts.filter({ hasText: "От страницы" })).toHaveCount(1);
  });
});

test("a backend without the feature gets no request about consent, and this browser remembers the agreement", async ({
  chat,
  page,
}) => {
  const told: string[] = [];
  page.on("request", (request) => told.push(request.url()));
  await chat.config({ consent });
  await chat.open();
  await chat.composer.fill("Привет");
  await chat.button(AGREE).click();
  await expect(chat.questionTexts).toHaveText(["Привет"]);
  await chat.idle();
  await page.reload();
  await chat.opened();
  await expect(chat.sendButton).toBeVisible();
  expect(told.filter((url) => url.includes("visitor/consent"))).toEqual([]);
});

for (const { width, height } of [
  { width: 667, height: 375 },
  { width: 320, height: 256 },
]) {
  test(`the button to agree comes after the question in a window of ${width} × ${height}`, async ({ chat, page }) => {
    await page.setViewportSize({ width, height });
    await chat.config({ voice: { input: true } });
    await chat.goto("/", asking);
    await chat.composer.fill("Привет");
    const boxOf = async (locator: Locator) => {
      const box = await locator.boundingBox();
      if (!box) throw new Error("no box");
      return { ...box, end: box.x + box.width, bottom: box.y + box.height };
    };
    const [composer, field, button, attach, dictate] = await Promise.all([
      boxOf(chat.root.locator(".composer")),
      boxOf(chat.composer),
      boxOf(chat.button(AGREE)),
      boxOf(chat.button("Добавить вложение")),
      boxOf(chat.button("Диктовать")),
    ]);
    expect(attach.end).toBeLessThanOrEqual(field.x + 1);
    expect(field.end).toBeLessThanOrEqual(dictate.x + 1);
    expect(field.width).toBeGreaterThan(120);
    expect(composer.end - button.end).toBeLessThan(16);
    expect(button.x >= dictate.end || button.y >= field.bottom - 1).toBe(true);
    await expect(chat.button(AGREE)).toBeInViewport({ ratio: 1 });
  });
}
