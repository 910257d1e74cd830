// `npm run site`: builds the documents as a static site in site/dist. The generator is as large as everything that production
// needs, so it is installed only in that folder, at the first run.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildWidget, isWidgetBuilt } from "./build-widget.mjs";
import { findNpm } from "./find-npm.mjs";
import { runCommand } from "./run-command.mjs";
import { findNode, root } from "./workspace.mjs";

const site = join(root, "site");
const generator = join(site, "node_modules", "vitepress", "bin", "vitepress.js");

if (!existsSync(generator)) {
  console.log("Installing the site's generator (npm ci in site/), once …");
  await mustWork(process.execPath, [findNpm(), "ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
if (!isWidgetBuilt()) {
  const { ok, output } = await buildWidget();
  if (!ok) throw new Error(`The pages show the widget, whose build fails:\n${output}`);
}
await mustWork(findNode(), ["write-pages.ts"]);
await mustWork(findNode(), [generator, "build"]);
console.log("The site is in site/dist.");

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
async function mustWork(command, args) {
  const { ok, output } = await runCommand(command, args, { cwd: site });
  if (ok) return;
  console.error(output);
  process.exit(1);
}
