import { expect, test } from "../fixtures.ts";

for (const dir of ["ltr", "rtl"]) {
  test(`the sheet covers a narrow widget in a browser without anchor positioning (${dir})`, async ({ chat, page }) => {
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
  });
}
