import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Lists the files below a folder in sorted order, without node_modules. Returns the file itself for a file, and nothing for a
 * missing path.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .filter((name) => name !== "node_modules")
    .flatMap((name) => filesBelow(join(path, name)));
}
