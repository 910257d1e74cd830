/** Installs the peers, which the workspace does not contain, and builds their pages for production. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { contentHash } from "../../scripts/content-hash.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { root } from "../../scripts/workspace.mjs";
import { buildPage } from "../front/build.ts";
import type { Peer } from "./peers.ts";

const apps = join(import.meta.dirname, "apps");

/**
 * Builds the page of each peer into a folder of its name. Returns those that could not be installed or built, with the reasons.
 */
export async function buildPeers(peers: readonly Peer[], into: string): Promise<ReadonlyMap<Peer, string>> {
  const failed = new Map<Peer, string>();
  for (const peer of peers) {
    const { folder = "" } = peer;
    try {
      await installPackages(packagesOf(folder));
      const script = ["page.jsx", "page.js"].map((name) => join(apps, folder, name)).find((path) => existsSync(path));
      await buildPage(script ?? folder, join(into, folder));
    } catch (error) {
      console.error(`${peer.name} could not be built: ${String(error)}`);
      failed.set(peer, "its page could not be built.");
    }
  }
  return failed;
}

/** The version of a package, as the page of a peer pins it. */
export function versionOf(name: string, folder = ""): string {
  const file = join(packagesOf(folder), "package.json");
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const version = dependencies[name];
  if (version === undefined) throw new Error(`${file} does not list ${name}.`);
  return version;
}

/** Most peers share packages. A peer with its own package.json needs other packages, or many large ones. */
function packagesOf(folder: string): string {
  return existsSync(join(apps, folder, "package.json")) ? join(apps, folder) : apps;
}

/** Installs the packages of a folder of `apps`, which the workspace does not contain, unless they are installed. */
export async function installPackages(folder = apps): Promise<void> {
  const stamp = join(folder, "node_modules", ".installed-lockfile");
  const lockfile = contentHash(folder, ["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return;
  console.log(`Installing ${relative(root, folder)} (npm ci), once, about a minute …`);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await runCommand(process.execPath, [findNpm(), ...args], { cwd: folder });
  if (!ok) throw new Error(`npm ci failed in ${relative(root, folder)}. It said:\n${output}`);
  writeFileSync(stamp, lockfile);
}
