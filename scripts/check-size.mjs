// Compares the size of the built widget with scripts/size-limits.json, in bytes after gzip. A KB is 1000 bytes.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSize, sourceShare } from "./source-share.mjs";
import { root } from "./workspace.mjs";

const dist = join(root, "packages", "widget", "dist");

/** @type {{ loader: number, closedLauncher: number, untilTyping: number, answer: number, protocol: number }} */
const limits = readJson(join(root, "scripts", "size-limits.json"));

/** @type {{ loader: string[], closedLauncher: string[], untilTyping: string[], answer: string[], later: string[] }} */
const manifest = readJson(join(dist, "manifest.json"));

const rows = [
  { what: "the script tag", size: weightOf(manifest.loader), limit: limits.loader },
  { what: "a launcher that nobody has opened", size: weightOf(manifest.closedLauncher), limit: limits.closedLauncher },
  { what: "until the composer can be typed into", size: weightOf(manifest.untilTyping), limit: limits.untilTyping },
  { what: "everything for a rendered answer", size: weightOf(manifest.answer), limit: limits.answer },
  { what: "the protocol's part of it", size: protocolShare(manifest.answer), limit: limits.protocol },
];
for (const { what, size, limit } of rows) {
  console.log(`${size > limit ? "✗" : "✓"} ${what.padEnd(40)}${kilobytes(size)}  of ${kilobytes(limit)}`);
}
for (const file of manifest.later) console.log(`  ${`later: ${file}`.padEnd(40)}${kilobytes(weightOf([file]))}`);
process.exitCode = rows.some(({ size, limit }) => size > limit) ? 1 : 0;

/** @param {readonly string[]} files */
function weightOf(files) {
  return files.reduce((sum, file) => sum + gzipSize(readFileSync(join(dist, file))), 0);
}

/** @param {readonly string[]} files */
function protocolShare(files) {
  return files
    .filter((file) => existsSync(join(dist, `${file}.map`)))
    .reduce((sum, file) => {
      const code = readFileSync(join(dist, file), "utf8");
      return (
        sum + sourceShare(code, readJson(join(dist, `${file}.map`)), (source) => source.includes("/protocol/src/"))
      );
    }, 0);
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(2)} KB`.padStart(10);
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
