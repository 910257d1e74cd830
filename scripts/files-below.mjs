import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a folder, sorted, installed packages left out. A file is itself; what does not exist holds nothing.
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
