import { core, expect, motion, test } from "../fixtures.ts";

test.use(motion);

for (const dir of ["ltr", "rtl"]) {
  test(
    `the sheet covers a narrow widget in a browser without anchor positioning (${dir})`,
    core,
    async ({ chat, page }) => {
      await page.route("**/widget/main.css", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll("anchor-name", "no-such-name") });
      });
      await chat.open("/", {
        head: `<style>#chat { width: 400px; height: 500px; margin: 60px 300px 900px }</style>
        <script>
          document.documentElement.dir = "${dir}";
          const { supports } = CSS;
          CSS.supports = (...query) => !query[0].includes("anchor-name") && supports.apply(CSS, query);
        </script>`,
      });
      await chat.sidebarToggle.click();
      const offsetsAndWidth = async () => {
        const [sheet, widget] = await Promise.all([chat.sidebar.boundingBox(), chat.root.boundingBox()]);
        if (!sheet || !widget) return undefined;
        return [sheet.x - widget.x, sheet.y - widget.y, sheet.height - widget.height, sheet.width].map(Math.round);
      };
      await expect.poll(offsetsAndWidth).toEqual([0, 0, 0, 288]);
      await page.mouse.wheel(0, 40);
      await expect.poll(offsetsAndWidth).toEqual([0, 0, 0, 288]);
    },
  );
}

test("the sheet has a button that closes it, which has the focus first", async ({ chat, page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await chat.sidebarToggle.click();
  const sheet = chat.root.getByRole("dialog", { name: "Боковая панель" });
  await expect(chat.button("Закрыть", sheet)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sheet).toBeHidden();
  await expect(chat.sidebarToggle).toBeFocused();
});

test("a selection that ends outside the sheet does not close it", async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await chat.seed({ title: "Разговор", turns: [["Вопрос", "Ответ"]] });
  await chat.open();
  await chat.sidebarToggle.click();
  await chat.rowLink("Разговор").press("F2");
  const field = chat.root.getByRole("textbox", { name: "Название чата" });
  await expect(field).toBeFocused();
  // The sheet slides in, and until then the field is elsewhere.
  await field.evaluate((input) =>
    Promise.all((input.getRootNode() as ShadowRoot).getAnimations().map(({ finished }) => finished)),
  );
  const box = await field.boundingBox();
  if (!box) throw new Error("no box");
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(380, box.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect(field).toBeFocused();
  await page.mouse.click(380, 300);
  await expect(chat.root.getByRole("dialog", { name: "Боковая панель" })).toBeHidden();
});
