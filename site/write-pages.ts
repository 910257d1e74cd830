/**
 * Gathers the pages of the site in `site/.pages`: the documents, the pages that only the site has, the reference out of the types,
 * and the playground's preview with the built widget. `vitepress build` makes the site of them.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
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

mkdirSync(join(pages, "public"));
cpSync(join(workspace, "packages", "widget", "dist"), join(pages, "public", "widget"), {
  recursive: true,
  filter: (path) => !path.endsWith(".map"),
});
const vite = join(site, "node_modules", "vite", "bin", "vite.js");
execFileSync(process.execPath, [vite, "build", join(site, "preview"), "--logLevel", "error"], { stdio: "inherit" });

await writeReference(join(pages, "reference"));
