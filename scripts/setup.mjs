// Installs the packages of package-lock.json if they are not installed yet. Every command runs this first.

import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { contentHash } from "./content-hash.mjs";
import { findNpm } from "./find-npm.mjs";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

const stamp = join(root, "node_modules", ".installed-lockfile");

/** Installs the dependencies if they are missing or differ from the lockfile, and prints a line about it. */
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
  linkPackages();
  writeFileSync(stamp, lockfile);
}

/** Links the repository's own packages that were added after the install, as npm would. */
function linkPackages() {
  for (const [path, { link, resolved }] of Object.entries(packagesOf(join(root, "package-lock.json")))) {
    if (!link || !resolved || existsSync(join(root, path))) continue;
    symlinkSync(relative(dirname(path), resolved), join(root, path), "junction");
  }
}

/** Whether the install is complete. The project's Node is the only package that an install script finishes. */
function isWhole() {
  return existsSync(join(root, "node_modules", "node", "bin"));
}

/** Whether npm's record of installed packages matches the lockfile. It may, for example, after an `npm install` by hand. */
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
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean, resolved?: string }>}
 */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}

function npmCi() {
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  return runCommand(process.execPath, [findNpm(), ...args], { cwd: root });
}
