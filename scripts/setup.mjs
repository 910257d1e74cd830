// Installs what package-lock.json names, when it is not installed yet. Part of every command: nobody needs to call it.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "./content-hash.mjs";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

const stamp = join(root, "node_modules", ".installed-lockfile");

/** Installs the dependencies where they are missing or older than the lockfile. Says so in one line. */
export async function setup() {
  const lockfile = contentHash(root, ["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile && isWhole()) return;
  if (!isWhole() || !isInstalled()) {
    console.log("Installing dependencies (npm ci), once, about a minute …");
    const { ok, output } = await npmCi();
    if (!ok) {
      throw new Error(`Dependencies could not be installed: npm ci failed. It said:\n${output}`);
    }
  }
  writeFileSync(stamp, lockfile);
}

/** Whether the project's own Node is there: the one package that an install script completes. */
function isWhole() {
  return existsSync(join(root, "node_modules", "node", "bin"));
}

/** Whether npm's own record of what it installed agrees with the lockfile: so after an `npm install` by hand. */
function isInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf(join(root, "package-lock.json"))).every(
    ([path, { version, optional, link }]) =>
      !path.startsWith("node_modules/") || optional || link || installed[path]?.version === version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }>}
 */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}

function npmCi() {
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  // Under `npm start` npm says where it is itself; called bare, it is on the path.
  const npm = process.env["npm_execpath"];
  return npm?.endsWith(".js")
    ? runCommand(process.execPath, [npm, ...args], { cwd: root })
    : runCommand(process.platform === "win32" ? "npm.cmd" : "npm", args, { cwd: root });
}
