/** The markup in the documents that a site would copy. The code for bundlers is run by tests/packages. */
import { allSnippets } from "../docs-code.ts";
import { expect, test } from "./fixtures.ts";

/** Pages to copy, by where they are. Several documents have the same one, which is opened once. */
const pages = new Map([
  ...allSnippets()
    .filter(({ language }) => language === "html")
    .map(({ document, line, code }) => [code, `${document}:${line}`] as const),
  // What PHP writes into the page: everything outside of its own code.
  ...allSnippets()
    .filter(({ language }) => language === "php")
    .map(
      ({ document, line, code }) =>
        [code.replaceAll(/<\?php.*?\?>\n?|<\?php.*$/gs, ""), `${document}:${line}`] as const,
    ),
]);

for (const [code, place] of pages) {
  test(`the markup of ${place} chats`, async ({ chat, page, site }) => {
    site.host.html = code
      .replaceAll(/https:\/\/chat\.example|http:\/\/localhost:3000/g, site.origin)
      // The server of the tests has one project, and no path of its own.
      .replace(/, projectId: "shop"| project-id="shop"/, "")
      .replace(' proxy-url="/nitka"', "");
    await page.goto(site.origin);
    if (code.includes('layout="launcher"')) await chat.button("Открыть чат").click();
    await chat.opened();
    await chat.converse("Где заказ?");
    await expect(chat.answers).toContainText("Ответ на «Где заказ?».");
  });
}
