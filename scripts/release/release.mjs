// The two halves of a release; docs/releasing.md describes them.
//
// `npm run release version` gives the packages the versions that the changesets ask for, and writes the changelogs.
// `npm run release publish` packs the packages, writes their bill of materials (dist/sbom.cdx.json) and
// publishes those whose version npm does not have yet.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { findNpm } from "../find-npm.mjs";
import { packPackages } from "./pack-packages.mjs";
import { runCommand } from "../run-command.mjs";
import { findNode, findTool, root } from "../workspace.mjs";

const changeset = findTool("@changesets/cli", "changeset");

try {
  const [half] = process.argv.slice(2);
  if (half === "version") await version();
  else if (half === "publish") await publish();
  else throw new Error("Name the half of the release: npm run release version, or publish.");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function version() {
  await run(findNode(), [changeset, "version"]);
  // The lockfile also contains the versions of the workspaces.
  await run(process.execPath, [findNpm(), "install", "--package-lock-only", "--no-audit", "--no-fund"]);
}

async function publish() {
  const packages = await packPackages();
  const bom = await billOfMaterials(packages.map(({ name }) => name));
  writeFileSync(join(root, "dist", "sbom.cdx.json"), `${JSON.stringify(bom, undefined, 2)}\n`);
  await run(findNode(), [changeset, "publish"]);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
async function run(command, args) {
  const { ok, output } = await runCommand(command, args, { cwd: root });
  console.log(output.trim());
  if (!ok) throw new Error(`${args.join(" ")} failed.`);
}
