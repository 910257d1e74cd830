/** The markup in the documents that a site would copy. The code for bundlers is run by tests/packages. */
import { allSnippets, codeIn } from "../docs-code.ts";
import { expect, test } from "./fixtures.ts";

/** Pages to copy, by where they are. Several documents have the same one, which is opened once. */
const pages = new Map([
  ...allSnippets()
    .filter(({ language }) => language === "html")
    .map(({ document, line, code }) => [code, `${document}:${line}`] as const),
  // What PHP writes into the page for a visitor whom it does not know: everything outside of its own code.
  ...allSnippets()
    .filter(({ language, code }) => language === "php" && code.includes("<script"))
    .map(
      ({ document, line, code }) =>
        [
          code.replaceAll(/<\?= .*?\?>/g, "null").replaceAll(/<\?php.*?\?>\n?|<\?php.*$/gs, ""),
          `${document}:${line}`,
        ] as const,
    ),
]);

for (const [code, place] of pages) {
  test(`the markup of ${place} chats`, async ({ chat, page, site }) => {
    site.host.html = code
      .replaceAll(/https:\/\/(chat|assistant|app\.shop)\.example|http:\/\/localhost:3000/g, site.origin)
      // The server of the tests has one project, and no path of its own.
      .replace(/, projectId: "shop"| project-id="shop"/, "")
      .replace(/ proxy-url="(\/nitka|[^"]*\/chat)"/, "");
    await page.goto(site.origin);
    if (/layout(: |=)"launcher"/.test(code)) await chat.button("Открыть чат").click();
    await chat.opened();
    await chat.converse("Где заказ?");
    await expect(chat.answers).toContainText("Ответ на «Где заказ?».");
  });
}

test("the tag of Google Tag Manager chats where its manager writes it into the page", async ({ chat, page, site }) => {
  const [tag = ""] = codeIn("embedding.md", "Google Tag Manager");
  site.host.html = "<!doctype html><title>Лавка</title>";
  await page.goto(site.origin);
  // It parses the tag, puts its nodes at the end of the page, and makes each script anew, so that it runs.
  await page.evaluate(
    (html) => {
      const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
      for (const { src, text } of content.querySelectorAll("script"))
        document.body.append(Object.assign(document.createElement("script"), src === "" ? { text } : { src }));
    },
    tag.replace("https://chat.example", site.origin).replace(', projectId: "shop"', ""),
  );
  await chat.button("Открыть чат").click();
  await chat.opened();
  await chat.converse("Где заказ?");
  await expect(chat.answers).toContainText("Ответ на «Где заказ?».");
});
