import type { Part } from "@nitka/protocol";
import { done, textEvents } from "../backend.ts";
import { dataUrl, png } from "../files.ts";
import { core, expect, test } from "../fixtures.ts";

/** A history of a question and an answer with these parts. */
function exchange(...content: readonly (Part | object)[]): object[] {
  return [
    { id: "q1", role: "user", content: "Вопрос" },
    { id: "a1", role: "assistant", content, status: { type: "complete" } },
  ];
}

test.describe("a message", () => {
  test("shows its role, its text and each of its parts", core, async ({ chat }) => {
    test.slow();
    await test.step("renders text as markdown in an answer, and verbatim in a question", async () => {
      await chat.openHistory([
        { id: "q1", role: "user", content: "**не** жирный <b>и не</b> тег" },
        { id: "a1", role: "assistant", content: "**жирный**" },
      ]);
      await expect(chat.questionTexts).toHaveText(["**не** жирный <b>и не</b> тег"]);
      await expect(chat.answers.locator("strong")).toHaveText("жирный");
    });

    await test.step("has a text or a list of typed parts as its content", async () => {
      await chat.openHistory([
        { id: "q1", role: "user", content: [{ type: "text", text: "Вопрос частями" }] },
        {
          id: "a1",
          role: "assistant",
          content: [
            { type: "text", text: "Раз." },
            { type: "text", text: "Два." },
          ],
        },
      ]);
      await expect(chat.questionTexts).toHaveText(["Вопрос частями"]);
      await expect(chat.answerTexts).toHaveText([/Раз\.\s*Два\./]);
    });

    await test.step("folds its reasoning, and a press unfolds it", async () => {
      await chat.openHistory(
        exchange({ type: "reasoning", text: "Надо подумать о погоде." }, { type: "text", text: "Солнечно." }),
      );
      const toggle = chat.answers.getByRole("button", { name: /Ход рассуждений/ });
      await expect(toggle).toHaveAttribute("aria-expanded", "false");
      await expect(chat.answers.getByText("Надо подумать о погоде.")).toBeHidden();
      await toggle.click();
      await expect(chat.answers.getByText("Надо подумать о погоде.")).toBeVisible();
    });

    await test.step("shows its sources as links, except those whose scheme is not allowed", async () => {
      await chat.openHistory(
        exchange(
          { type: "text", text: "По данным метеослужбы." },
          { type: "source", sourceType: "url", id: "s1", url: "https://example.com/weather", title: "Метеослужба" },
          { type: "source", sourceType: "url", id: "s2", url: "javascript:alert(1)", title: "Зло" },
          { type: "source", sourceType: "url", id: "s3", url: "", title: "Отчёт без адреса" },
        ),
      );
      await chat.answers.getByRole("button", { name: "3 источника" }).click();
      const link = chat.answers.getByRole("link", { name: /Метеослужба/ });
      await expect(link).toHaveAttribute("href", "https://example.com/weather");
      await expect(link).toHaveAttribute("target", "_blank");
      await expect(link).toHaveAttribute("rel", /noreferrer|noopener/);
      await expect(chat.answers.getByText(/Отчёт без адреса/)).toBeVisible();
      expect(await chat.answers.locator('a[href^="javascript"]').count()).toBe(0);
    });

    await test.step("shows an image, and a press opens it in the preview", async () => {
      await chat.openHistory(exchange({ type: "image", image: dataUrl(png("х.png", 40, 20)) }));
      const image = chat.answers.getByRole("img").first();
      await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(40);
      await image.click();
      await expect(chat.preview).toBeVisible();
    });

    await test.step("plays audio with the browser's controls", async () => {
      await chat.openHistory(exchange({ type: "audio", audio: { data: btoa("RIFF"), format: "wav" } }));
      const audio = chat.answers.locator("audio");
      await expect(audio).toHaveAttribute("controls", "");
      expect(await audio.evaluate((element) => (element as HTMLAudioElement).src)).toMatch(/^(data:audio\/wav|blob:)/);
    });

    await test.step("is shown in the thread when its role is system", async () => {
      await chat.openHistory([
        { id: "s1", role: "system", content: "Оператор подключился" },
        { id: "q1", role: "user", content: "Вопрос" },
      ]);
      await expect(chat.root.getByRole("article", { name: "Система:" })).toContainText("Оператор подключился");
    });
  });

  test("shows an image of a host outside imageHosts as a link, and does not request it", async ({ chat, page }) => {
    const requested: string[] = [];
    await page.route(/\.example\//, (route) => {
      requested.push(route.request().url());
      return route.fulfill({
        contentType: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      });
    });
    await chat.config({ imageHosts: ["pictures.example"] });
    const [allowed, other] = ["https://pictures.example/1.svg", "https://evil.example/?q=secret"];
    await chat.openHistory(exchange({ type: "image", image: other }, { type: "image", image: allowed }));
    await expect(chat.answers.getByRole("img")).toHaveAttribute("src", allowed);
    await expect(chat.answers.locator("a.image-link")).toHaveAttribute("href", other);
    expect(requested).toEqual([allowed]);
  });

  test("shows an image that the server stores from the server, also after a reload", async ({ chat, page, site }) => {
    const url = dataUrl(png("х.png", 48, 20));
    site.script.answer = () => [{ type: "file", url, mediaType: "image/png" }];
    await chat.open();
    await chat.ask("Нарисуй нитку");
    const image = chat.answers.getByRole("img").first();
    const widthAndUrl = () =>
      image.evaluate(({ naturalWidth, src }: HTMLImageElement) => [naturalWidth, src.replace(/\w+$/, "id")]);
    const stored = [48, new URL("/api/debug/attachments/id", page.url()).href];
    await expect.poll(widthAndUrl).toEqual(stored);
    await page.reload();
    await expect.poll(widthAndUrl).toEqual(stored);
  });

  test("offers a file as a download under its name", core, async ({ chat, page }) => {
    await chat.openHistory(
      exchange({ type: "file", data: btoa("a;b\n1;2\n"), mimeType: "text/csv", filename: "таблица.csv" }),
    );
    const download = page.waitForEvent("download");
    await chat.answers.getByRole("link", { name: /таблица\.csv/ }).click();
    expect((await download).suggestedFilename()).toBe("таблица.csv");
  });
});

test.describe("a broken message", () => {
  for (const [name, broken] of [
    ["an unknown part type", { id: "x1", role: "assistant", content: [{ type: "hologram", data: 1 }] }],
    ["an unknown role", { id: "x1", role: "wizard", content: "Абракадабра" }],
    [
      "an unknown attachment type",
      {
        id: "x1",
        role: "user",
        content: "Смотри",
        attachments: [{ id: "f1", type: "hologram", name: "х", contentType: "x/y", size: 1, url: "data:,x" }],
      },
    ],
    [
      "an unexpected requires-action status",
      { id: "x1", role: "assistant", content: "Ждёт", status: { type: "requires-action", reason: "tool-calls" } },
    ],
  ] as const) {
    test(`with ${name} raises an internal error, and the rest of the thread works`, core, async ({ chat, console }) => {
      console.allow(/./);
      await chat.openHistory([
        { id: "q1", role: "user", content: "До" },
        broken,
        { id: "a2", role: "assistant", content: "После" },
      ]);
      await expect(chat.root.getByText("После")).toBeVisible();
      await expect(chat.failures.getByText(/Не.удалось показать эту часть переписки/)).toHaveCount(1);
      expect(console.errors.join("\n")).toMatch(/hologram|wizard|requires-action/);
      const lines = textEvents("Живы.").map((event) => `data: ${JSON.stringify(event)}\n\n`);
      await chat.stub("POST", /run\/stream/, { contentType: "text/event-stream", body: lines.join("") + done });
      await chat.ask("Живы?");
      await expect(chat.answerTexts.last()).toHaveText("Живы.");
    });
  }
});
