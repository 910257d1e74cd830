import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow } from "./files-below.mjs";

/**
 * Hashes files and folders by names and contents. Modification times do not count.
 *
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {(path: string) => boolean} [counts] Which files count.
 * @returns {string}
 */
export function contentHash(root, paths, counts = () => true) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((each) => filesBelow(join(root, each)))) {
    if (!counts(path)) continue;
    const bytes = readFileSync(path);
    hash.update(`${relative(root, path)}\n${bytes.length}\n`);
    hash.update(bytes);
  }
  return hash.digest("hex");
}
