/** The markup in docs/embedding.md that a site would copy. The code for bundlers is run by tests/packages. */
import { codeIn } from "../docs-code.ts";
import { expect, test } from "./fixtures.ts";

const layouts = {
  "Plain HTML": "launcher",
  WordPress: "launcher",
  "1C-Bitrix": "launcher",
  Tilda: "inline",
} as const;

for (const [section, layout] of Object.entries(layouts)) {
  test(`the markup for ${section} in the docs chats`, async ({ chat, page, site }) => {
    const [code = ""] = codeIn("embedding.md", section);
    // What PHP writes into the page: everything outside of its own code.
    site.host.html = code.replaceAll(/<\?php.*?\?>\n?|<\?php.*$/gs, "").replaceAll("https://chat.example", site.origin);
    await page.goto(site.origin);
    if (layout === "launcher") await chat.button("Открыть чат").click();
    await chat.opened();
    await chat.converse("Где заказ?");
    await expect(chat.answers).toContainText("Ответ на «Где заказ?».");
  });
}
