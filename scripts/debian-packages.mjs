import { existsSync } from "node:fs";
import { runCommand } from "./run-command.mjs";

/**
 * Installs packages when this process is root on Debian or a derivative. Elsewhere it does nothing. It reports no failure:
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
