// Builds the widget, when what it is made of has changed since.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentHash } from "./content-hash.mjs";
import { runCommand } from "./run-command.mjs";
import { findNode, root } from "./workspace.mjs";

const widget = join(root, "packages", "widget");
// Outside of dist, whose whole content is served.
const stamp = join(root, "node_modules", ".cache", "nitka", "widget-sources");

const sources = [
  "package-lock.json",
  "packages/protocol/package.json",
  "packages/protocol/src",
  "packages/widget/build.ts",
  "packages/widget/chunk-queries.ts",
  "packages/widget/minify-first.ts",
  "packages/widget/own-keys.ts",
  "packages/widget/package.json",
  "packages/widget/react-features.ts",
  "packages/widget/src",
  "packages/widget/top-level-functions.ts",
  "packages/widget/trim-react.ts",
];

/** What ships, and the build for the tests: what is taken out of React throws there when it is called after all. */
const builds = [
  { folder: "dist", args: ["build.ts"] },
  { folder: "dist-loud", args: ["build.ts", "--loud"] },
];

/** Whether what is built was built from the sources as they are. */
export function isWidgetBuilt() {
  return (
    builds.every(({ folder }) => existsSync(join(widget, folder, "nitka.js"))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === sourcesHash()
  );
}

/** @returns {Promise<{ readonly ok: boolean, readonly output: string }>} */
export async function buildWidget() {
  const before = sourcesHash();
  for (const { args } of builds) {
    const result = await runCommand(findNode(), args, { cwd: widget, env: { NODE_ENV: "production" } });
    if (!result.ok) return result;
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, before);
  return { ok: true, output: "" };
}

function sourcesHash() {
  return contentHash(root, sources, (path) => !/\.(test|contract)\.tsx?$/.test(path));
}
