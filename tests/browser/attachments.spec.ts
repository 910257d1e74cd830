import type { Locator, Page } from "@playwright/test";
import type { Attachment } from "@nitka/protocol";
import type { ChatPage } from "./chat-page.ts";
import { gate } from "./backend.ts";
import type { TestFile } from "./files.ts";
import { dataUrl, pdf, png, text } from "./files.ts";
import { both, core, coreOnBoth, corePlain, expect, test } from "./fixtures.ts";

/** Picks files like a visitor: with the button and the browser's file chooser. */
async function pick(chat: ChatPage, ...files: readonly TestFile[]): Promise<void> {
  const chooser = chat.page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([...files]);
}

/** Pastes or drops files, together with a text if one is given. */
async function transfer(
  target: Locator,
  event: "paste" | "drop",
  files: readonly TestFile[],
  plainText = "",
): Promise<void> {
  await target.evaluate(
    (element, { event, files, plainText }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, bytes } of files) {
        data.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }));
      }
      if (plainText !== "") {
        data.setData("text/plain", plainText);
        data.setData("text/html", `<p>${plainText}</p>`);
      }
      const init = { bubbles: true, composed: true, cancelable: true };
      if (event === "paste") {
        element.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
      } else {
        for (const type of ["dragenter", "dragover", "drop"]) {
          element.dispatchEvent(new DragEvent(type, { ...init, dataTransfer: data }));
        }
      }
    },
    { event, plainText, files: files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] })) },
  );
}

/** Resolves with the attachments of the next question that the page sends. */
function nextAttachments(page: Page): Promise<readonly Attachment[]> {
  return page
    .waitForRequest(/run\/stream/)
    .then(
      (request) => (request.postDataJSON() as { messages: [{ attachments: Attachment[] }] }).messages[0].attachments,
    );
}

/** A tile's size in pixels. */
async function size(tile: Locator): Promise<{ width: number; height: number } | undefined> {
  const box = await tile.boundingBox();
  return box === null ? undefined : { width: Math.round(box.width), height: Math.round(box.height) };
}

test.describe("in the composer", () => {
  test("images and files become tiles, which can be removed", core, async ({ chat, page }) => {
    await chat.open();
    const removeAll = async () => {
      while ((await chat.attachments.count()) > 0) {
        // The tooltip of the button that was pressed may cover the next tile until the pointer leaves.
        await page.mouse.move(0, 0);
        await chat.attachments.first().hover();
        await chat.button("Удалить вложение").first().click();
      }
    };
    await test.step("a single image is a tile of 96 px", async () => {
      await pick(chat, png());
      await expect(chat.attachments).toHaveCount(1);
      await expect.poll(() => size(chat.attachments)).toEqual({ width: 96, height: 96 });
    });

    await test.step("several attachments, or a single one that is not an image, are tiles of 56 px", async () => {
      await removeAll();
      await pick(chat, text());
      await expect(chat.attachments).toHaveCount(1);
      expect((await size(chat.attachments))?.height).toBe(56);
      await pick(chat, png("а.png"), png("б.png"));
      await expect(chat.attachments).toHaveCount(3);
      for (const tile of await chat.attachments.all()) expect((await size(tile))?.height).toBe(56);
      expect((await size(chat.attachments.nth(1)))?.width).toBe(56);
    });

    await test.step("pasted files become attachments", async () => {
      await removeAll();
      await transfer(chat.composer, "paste", [png(), text()]);
      await expect(chat.attachments).toHaveCount(2);
      await expect(chat.composer).toHaveValue("");
    });

    await test.step("a paste of text with an image, as from office programs, adds no attachment", async () => {
      await removeAll();
      await transfer(chat.composer, "paste", [png()], "ячейка таблицы");
      await expect(chat.attachments).toHaveCount(0);
    });

    await test.step("dropped files become attachments, and the page keeps its address", async () => {
      await removeAll();
      // The thread's address is set shortly after the composer appears.
      await page.waitForURL(/\/c\//);
      const url = page.url();
      await transfer(chat.composer, "drop", [png(), pdf()]);
      await expect(chat.attachments).toHaveCount(2);
      expect(page.url()).toBe(url);
    });

    await test.step("each attachment can be removed", async () => {
      await removeAll();
      await pick(chat, png("а.png"), png("б.png"));
      await expect(chat.attachments).toHaveCount(2);
      await chat.attachments.first().hover();
      await chat.button("Удалить вложение").first().click();
      await expect(chat.attachments).toHaveCount(1);
      await expect.poll(() => size(chat.attachments)).toEqual({ width: 96, height: 96 });
    });

    await test.step("the same file can be added again after it was removed", async () => {
      await removeAll();
      await pick(chat, png());
      await chat.attachments.first().hover();
      await chat.button("Удалить вложение").click();
      await expect(chat.attachments).toHaveCount(0);
      await pick(chat, png());
      await expect(chat.attachments).toHaveCount(1);
    });

    await test.step("attachments cannot be sent without text", async () => {
      await removeAll();
      await pick(chat, png());
      await expect(chat.attachments).toHaveCount(1);
      await expect(chat.sendButton).toBeDisabled();
      await chat.composer.press("Enter");
      await expect(chat.questions).toHaveCount(0);
    });
  });

  test("a file that is too large is refused by name, and the others stay", async ({ chat }) => {
    await chat.config({ attachments: { accept: "image/*,text/plain", maxBytes: 102_400, maxCount: 5 } });
    await chat.open();
    await pick(chat, png(), text("большой.txt", "а".repeat(100_000)));
    await expect(chat.failures).toContainText(/большой\.txt.*102 кБ/);
    await expect(chat.attachments.filter({ has: chat.page.getByRole("img") })).toHaveCount(1);
  });

  test("a file of a type that the config does not accept is refused", async ({ chat }) => {
    await chat.config({ attachments: { accept: "image/*", maxBytes: 100_000, maxCount: 5 } });
    await chat.open();
    await transfer(chat.composer, "paste", [text("заметка.txt")]);
    await expect(chat.failures).toContainText(/заметка\.txt.*картинки/);
  });

  test("a file beyond the maximum count is refused", async ({ chat }) => {
    await chat.config({ attachments: { accept: "image/*", maxBytes: 100_000, maxCount: 2 } });
    await chat.open();
    await transfer(chat.composer, "paste", [png("а.png"), png("б.png"), png("в.png")]);
    await expect(chat.failures).toContainText("2");
    await expect(chat.attachments).toHaveCount(2);
  });

  test("the browser's file chooser offers the types that the config accepts", async ({ chat }) => {
    await chat.config({ attachments: { accept: "image/*,.csv", maxBytes: 1000, maxCount: 2 } });
    await chat.open();
    await expect(chat.root.locator('input[type="file"]').first()).toHaveAttribute("accept", "image/*,.csv");
  });

  test("a config without attachments hides the button, and pasted files are ignored", async ({ chat }) => {
    await chat.config({ attachments: false });
    await chat.open();
    await expect(chat.button("Добавить вложение")).toHaveCount(0);
    await transfer(chat.composer, "paste", [png()]);
    await expect(chat.attachments).toHaveCount(0);
  });

  test("a failed upload is reported and can be removed", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.open();
    await chat.stub("POST", /\/attachments$/, {
      status: 422,
      json: { error: { code: "unprocessable", message: "такого не берём" } },
    });
    await pick(chat, png("снимок.png"));
    await expect(chat.failures).toHaveText(/Не.удалось загрузить файл «снимок\.png»/);
    await chat.attachments.first().hover();
    await chat.button("Удалить вложение").click();
    await expect(chat.attachments).toHaveCount(0);
  });
});

test.describe("when a question is sent", () => {
  test(
    "its attachments appear in it and cannot be removed, and the composer is empty",
    coreOnBoth,
    async ({ chat }) => {
      await chat.open();
      await pick(chat, png("снимок.png"), text("заметка.txt"));
      await expect(chat.attachments).toHaveCount(2);
      await chat.ask("Что это?");
      await expect(chat.questions.locator(chat.attachmentTile)).toHaveCount(2);
      await expect(chat.attachments).toHaveCount(2);
      await expect(chat.button("Удалить вложение")).toHaveCount(0);
      await expect(chat.questions).toContainText(["заметка.txt"]);
      for (const tile of await chat.questions.locator(chat.attachmentTile).all()) {
        expect((await size(tile))?.height).toBe(56);
      }
      await chat.idle();
    },
  );

  test("without uploads the message carries the files as data URLs", corePlain, async ({ chat, page }) => {
    await chat.open();
    const picture = png("снимок.png");
    const note = text("заметка.txt");
    const report = pdf("отчёт.pdf");
    await pick(chat, picture, note, report);
    await expect(chat.attachments).toHaveCount(3);
    const sent = nextAttachments(page);
    await chat.ask("Что это?");
    expect(await sent).toEqual(
      (
        [
          [picture, "image"],
          [note, "document"],
          [report, "document"],
        ] as const
      ).map(([file, type]) => ({
        id: expect.any(String),
        type,
        name: file.name,
        contentType: file.mimeType,
        size: file.buffer.length,
        url: dataUrl(file),
      })),
    );
    await chat.idle();
  });

  test("with uploads the message refers to the stored file, and the server returns its bytes", async ({
    chat,
    page,
  }) => {
    await chat.open();
    const picture = png("снимок.png", 20, 10);
    const uploaded = page.waitForResponse(/\/attachments$/);
    await pick(chat, picture);
    const answer = (await (await uploaded).json()) as Attachment;
    expect(answer).toMatchObject({ type: "image", name: "снимок.png", contentType: "image/png" });
    const sent = nextAttachments(page);
    await chat.ask("Что это?");
    expect(await sent).toEqual([answer]);
    await chat.idle();
    await page.reload();
    const image = chat.questions.getByRole("img").first();
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(20);
  });

  test("it waits for its uploads", async ({ chat, page }) => {
    await chat.open();
    const held = gate();
    await page.route(/\/attachments$/, async (route) => {
      await held.opened;
      await route.fallback();
    });
    await pick(chat, png("снимок.png"));
    await chat.composer.fill("Что это?");
    const sent = nextAttachments(page);
    await chat.composer.press("Enter");
    held.open();
    // Either the send button or the question waits for the upload. In both cases the sent question has the picture.
    await expect(async () => {
      if (await chat.sendButton.isEnabled()) await chat.composer.press("Enter");
      await expect(chat.questions).toHaveCount(1, { timeout: 500 });
    }).toPass();
    expect((await sent).map(({ name }) => name)).toEqual(["снимок.png"]);
  });

  test("a later edit keeps its attachments", async ({ chat, page }) => {
    await chat.open();
    await pick(chat, png("снимок.png"));
    await chat.ask("Что это?");
    await chat.idle();
    const sent = nextAttachments(page);
    await chat.button("Редактировать").click();
    await chat.editor.fill("Что на снимке?");
    await chat.button("Обновить").click();
    expect((await sent).map(({ name }) => name)).toEqual(["снимок.png"]);
    await chat.idle();
  });
});

test.describe("«Image Attachment Preview»", () => {
  test("opens on a click on an image, is at most 80vh high, and closes on Escape", core, async ({ chat, page }) => {
    await chat.open();
    await pick(chat, png("высокая.png", 400, 3000));
    await chat.attachments
      .getByRole("button", { name: /высокая\.png/ })
      .first()
      .click();
    await expect(chat.preview).toBeVisible();
    const image = chat.preview.getByRole("img");
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalHeight)).toBe(3000);
    expect((await image.boundingBox())?.height).toBeLessThanOrEqual(0.8 * 800);
    await page.keyboard.press("Escape");
    await expect(chat.preview).toHaveCount(0);
  });

  test("opens from a sent image by the keyboard, and returns the focus to its tile", both, async ({ chat, page }) => {
    await chat.open();
    await pick(chat, png("снимок.png"));
    await chat.ask("Что это?");
    await chat.idle();
    const tile = chat.questions.getByRole("button", { name: /снимок\.png/ });
    await tile.focus();
    await page.keyboard.press("Enter");
    await expect(chat.preview).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(chat.preview).toHaveCount(0);
    await expect(tile).toBeFocused();
  });

  test("does not open for a file that is not an image", async ({ chat }) => {
    await chat.open();
    await pick(chat, text("заметка.txt"));
    await chat.attachments.first().click();
    await expect(chat.preview).toHaveCount(0);
  });
});
