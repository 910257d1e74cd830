/** The markup in the documents that a site would copy. tests/packages runs the code for bundlers. */
import { allSnippets, codeIn } from "../docs-code.ts";
import { expect, test } from "./fixtures.ts";

/** Pages to copy, by document. If several documents have the same page, it is opened once. */
const pages = new Map([
  ...allSnippets()
    .filter(({ language }) => language === "html")
    .map(({ document, line, code }) => [code, `${document}:${line}`] as const),
  // What PHP writes into the page for an unknown visitor: everything outside its own code.
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
      // The tests' server has one project, without a path of its own.
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
  // Tag Manager parses the tag, appends its nodes to the page, and creates each script again, so that it runs.
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
