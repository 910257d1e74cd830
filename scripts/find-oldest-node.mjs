import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findNpm } from "./find-npm.mjs";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

/**
 * Finds the oldest Node that the packages support, for their tests, and installs it once if there is none.
 *
 * @returns {Promise<string>} its path
 */
export async function findOldestNode() {
  const version = oldestVersion();
  const folder = join(root, "node_modules", ".cache", "nitka", `node-${version}`);
  const { packageName, executable } = binaryOf(process.platform, process.arch);
  const path = join(folder, "node_modules", packageName, ...executable);
  if (existsSync(path)) return path;
  console.log(`Installing Node ${version} for the tests of the packages, once …`);
  const args = [findNpm(), "install", "--prefix", folder, "--no-save", "--loglevel=error", `${packageName}@${version}`];
  const { ok, output } = await runCommand(process.execPath, args, { timeoutMs: 300_000 });
  if (ok && existsSync(path)) return path;
  throw new Error(`The packages promise to run on Node ${version}, which could not be installed to try it:\n${output}`);
}

/** The version in `engines` of the published packages: `>=22.16` is 22.16.0. */
function oldestVersion() {
  const { engines } = JSON.parse(readFileSync(join(root, "packages", "server", "package.json"), "utf8"));
  const [, version] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
  if (version === undefined)
    throw new Error(`engines.node of @nitka/server is ${engines.node}: write it as ">=22.16".`);
  return `${version}.0`;
}

/**
 * The npm package with Node's binary for a system, as the package `node` chooses it.
 *
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 */
function binaryOf(platform, arch) {
  if (platform === "win32") return { packageName: `node-win-${arch}`, executable: ["bin", "node.exe"] };
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return { packageName: `${prefix}-${platform}-${arch}`, executable: ["bin", "node"] };
}
