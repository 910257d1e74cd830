/** Installs the peers, which the workspace does not contain, and builds their pages for production. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { contentHash } from "../../scripts/content-hash.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import type { Peer } from "./peers.ts";

const apps = join(import.meta.dirname, "apps");
const stamp = join(apps, "node_modules", ".installed-lockfile");

/** Builds the page of each peer into a folder of its name. */
export async function buildPeers(peers: readonly Peer[], into: string): Promise<void> {
  await install();
  for (const { folder = "" } of peers) {
    await build({
      root: join(apps, folder),
      base: "./",
      configFile: false,
      publicDir: false,
      logLevel: "error",
      mode: "production",
      build: { outDir: join(into, folder), emptyOutDir: true, target: "es2022", reportCompressedSize: false },
    });
  }
}

/** The version of a package, as `apps/package.json` pins it. */
export function versionOf(name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(apps, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const version = dependencies[name];
  if (version === undefined) throw new Error(`bench/peers/apps/package.json does not list ${name}.`);
  return version;
}

async function install(): Promise<void> {
  const lockfile = contentHash(apps, ["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return;
  console.log("Installing the peers (npm ci in bench/peers/apps), once, about a minute …");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await runCommand(process.execPath, [findNpm(), ...args], { cwd: apps });
  if (!ok) throw new Error(`The peers could not be installed: npm ci failed. It said:\n${output}`);
  writeFileSync(stamp, lockfile);
}
