import { deepStrictEqual } from "node:assert";
import type { Site } from "../../browser/site.ts";
import type { Scenario } from "./scenario.ts";

/** All files that load after the app. */
const CHUNKS = /\/widget\/(?!app-)[\w-]+-[\w-]{8}\.js$/;

/** Files that fail once. Engines differ: Firefox and WebKit request a failed module again only under another address. */
export const failedFiles: readonly Scenario[] = ([503, "break"] as const).map((how) => ({
  title: `answers, with markdown and tooltips, where each chunk fails once (${how}), and has one copy of each`,
  provedBy: [
    ["view/chunks.spec.ts", "and each of its places has it in the end, as one module"],
    ["view/chunks.spec.ts", "a question is answered although the code of answers failed to load at first"],
  ],
  allowedErrors:
    /could not be loaded|Loading module|Failed to (?:load|fetch)|error loading dynamically|Importing a module/,
  async run(page, site) {
    site.script.answer = () => [{ type: "text-delta", delta: "Ответ **важный**\n\n```js\nconst a = 1;\n```\n" }];
    await page.open();
    await page.shows("Сообщение");
    site.files.how = how;
    site.files.fail = CHUNKS;
    await page.goto("/");
    await page.converse("Первый");
    await page.until(async () => (await page.findVisible({ css: ".answer" })).length, 1);
    await page.converse("Второй");
    await page.until(async () => (await page.findVisible({ css: ".answer strong" })).length, 2);
    await page.converse("Третий");
    await page.converse("Четвёртый");
    await page.until(async () => (await page.findVisible({ css: ".answer strong" })).length, 4);
    await page.until(async () => (await page.findVisible({ css: "pre code [class^=token-]" })).length > 0, true);
    deepStrictEqual(copies(site), []);
  },
}));

/** The chunks that were served at more than one address since the page was opened again. Each address is a separate module. */
function copies({ files: { served } }: Site): readonly string[] {
  const addresses = served.slice(served.findLastIndex((address) => address.startsWith("/widget/nitka.js")));
  const names = [...new Set(addresses)].map((address) => address.split("?", 1)[0] ?? "");
  return names.filter((name, index) => names.indexOf(name) !== index);
}
