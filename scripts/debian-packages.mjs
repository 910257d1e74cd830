import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";

/**
 * Installs packages if this process is root on Debian or a derivative. Elsewhere it does nothing. It reports no failure:
 * callers check whether the programs exist afterwards.
 *
 * @param {readonly string[]} packages
 * @param {string} purpose What the packages are for, in a few words.
 */
export async function installDebianPackages(packages, purpose) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${purpose} (apt-get install ${packages.join(" ")}), once …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runCommand("apt-get", ["update"], { env, timeoutMs: 300_000 });
  await runCommand("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env, timeoutMs: 600_000 });
}

/**
 * Finds a program, such as `nginx`, and installs its Debian package if it is missing.
 *
 * @param {string} name
 * @param {string} purpose What the program is for, in a few words.
 * @param {string} [packageName] The package, if its name differs from the program's.
 * @returns {Promise<string>} its path
 */
export async function findDebianProgram(name, purpose, packageName = name) {
  const found = onPath(name);
  if (found !== undefined) return found;
  await installDebianPackages([packageName], purpose);
  const path = onPath(name);
  if (path === undefined)
    throw new Error(`${purpose}: it was neither found nor could be installed. Install ${packageName}.`);
  return path;
}

/** @param {string} name of a program, which may be one for administrators */
export function onPath(name) {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return [...folders, "/usr/bin", "/usr/sbin", "/usr/local/sbin"]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
