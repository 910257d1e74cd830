/**
 * Gathers the pages of the site in `site/.pages`: the documents, the pages that only the site has, the reference out of the types,
 * and the built widget. `vitepress build` makes the site of them.
 */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeReference } from "./write-reference.ts";

const site = import.meta.dirname;
const workspace = dirname(site);
const pages = join(site, ".pages");

rmSync(pages, { recursive: true, force: true });
cpSync(join(workspace, "docs"), pages, { recursive: true });
// The site has a front page of its own.
renameSync(join(pages, "index.md"), join(pages, "start.md"));
renameSync(join(pages, "ru", "index.md"), join(pages, "ru", "start.md"));
cpSync(join(site, "pages"), pages, { recursive: true });

// The first CSS of the page on theming can be changed beside a chat.
for (const path of [join(pages, "theming.md"), join(pages, "ru", "theming.md")]) {
  const text = readFileSync(path, "utf8").replace(/^```css\n.*?^```\n/ms, "<LiveChat>\n\n$&\n</LiveChat>\n");
  writeFileSync(path, text);
}

mkdirSync(join(pages, "public"));
// Pages link to it as to a file, not as to a page.
renameSync(join(pages, "openapi.json"), join(pages, "public", "openapi.json"));
cpSync(join(workspace, "packages", "widget", "dist"), join(pages, "public", "widget"), {
  recursive: true,
  filter: (path) => !path.endsWith(".map"),
});
await writeReference(join(pages, "reference"));
