import { existsSync } from "node:fs";
import { runCommand } from "./run-command.mjs";

/**
 * Installs packages where that can be done without asking anybody: as root on Debian and what is made of it. Elsewhere
 * it does nothing; whether the programs are there now is for the caller to see.
 *
 * @param {readonly string[]} packages
 * @param {string} purpose What they are for, in a few words.
 */
export async function installDebianPackages(packages, purpose) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${purpose} (apt-get install ${packages.join(" ")}), once …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runCommand("apt-get", ["update"], { env, timeoutMs: 300_000 });
  await runCommand("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env, timeoutMs: 600_000 });
}
