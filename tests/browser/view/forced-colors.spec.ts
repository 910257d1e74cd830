import { core, expect, test } from "../fixtures.ts";

test(
  "the open thread, the focus and a disabled control are distinguishable in forced colours",
  core,
  async ({ chat, page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await chat.seed({ title: "Первый" }, { title: "Второй" });
    await chat.open();
    const [active, other] = [chat.row("Второй"), chat.row("Первый")];
    const mark = (row: typeof active) =>
      row.evaluate((element) => {
        const { backgroundColor, opacity } = getComputedStyle(element, "::before");
        return opacity === "0" ? "none" : backgroundColor;
      });
    expect(await mark(other)).toBe("none");
    expect(await mark(active)).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));

    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const composer = chat.root.locator(".composer");
    const box = await composer.boundingBox();
    const clip = { x: (box?.x ?? 0) - 6, y: (box?.y ?? 0) - 6, width: (box?.width ?? 0) + 12, height: 6 };
    const around = async () => (await page.screenshot({ clip })).toString("base64");
    const outside = await around();
    await chat.composer.focus();
    expect(await around()).not.toBe(outside);

    const off = await chat.sendButton.evaluate((element) => getComputedStyle(element).color);
    await chat.composer.fill("Вопрос");
    expect(await chat.sendButton.evaluate((element) => getComputedStyle(element).color)).not.toBe(off);
  },
);
