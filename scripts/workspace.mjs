// The places of things in this repository.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = 24;

/**
 * The Node that runs the project: its own, as pinned in package.json, or else this one, if it is new enough.
 *
 * @returns {string}
 */
export function findNode() {
  const pinned = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(pinned)) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  throw new Error(
    `Nitka runs on Node ${OLDEST_NODE}, and this is ${process.version}. The repository brings its own Node as a ` +
      "dependency, but its install script has not run. Run `npm rebuild node`, or install a newer Node.",
  );
}

/**
 * The path of a tool's script, to be run with Node. It is the same on every system, unlike the files in `node_modules/.bin`.
 *
 * @param {string} packageName
 * @param {string} [tool] its name, if it differs from the package's
 * @returns {string}
 */
export function findTool(packageName, tool = packageName) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[tool]);
}
