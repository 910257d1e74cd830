// Builds the widget if its sources have changed since the last build.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contentHash } from "./content-hash.mjs";
import { runCommand } from "./run-command.mjs";
import { findNode, root } from "./workspace.mjs";

const widget = join(root, "packages", "widget");
// The stamp is not in dist, because everything in dist is served.
const stamp = join(root, "node_modules", ".cache", "nitka", "widget-sources");

const sources = [
  "package-lock.json",
  "packages/protocol/package.json",
  "packages/protocol/src",
  "packages/widget/app-exports.ts",
  "packages/widget/apply-edits.ts",
  "packages/widget/build-config.ts",
  "packages/widget/build.ts",
  "packages/widget/chunk-files.ts",
  "packages/widget/dead-branches.ts",
  "packages/widget/package.json",
  "packages/widget/react-features.ts",
  "packages/widget/src",
  "packages/widget/trim-react.ts",
];

/** The shipped build, and one for tests that throws if a part of React is called that the build removes. */
const builds = [
  { folder: "dist", args: ["build.ts"] },
  { folder: "dist-loud", args: ["build.ts", "--loud"] },
];

/** Whether the build exists and was made from the current sources. */
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
    const result = await runCommand(findNode(), args, { cwd: widget });
    if (!result.ok) return result;
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, before);
  return { ok: true, output: "" };
}

function sourcesHash() {
  return contentHash(root, sources, (path) => !/\.(test|contract)\.tsx?$/.test(path));
}
