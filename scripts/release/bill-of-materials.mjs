// The software bill of materials of a release, for operators who must know what a package contains.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findNpm } from "../find-npm.mjs";
import { runCommand } from "../run-command.mjs";
import { root } from "../workspace.mjs";

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version
 * @property {string} bom-ref
 *
 * @typedef {object} Bom
 * @property {readonly Component[]} components
 * @property {readonly { readonly ref: string, readonly dependsOn: readonly string[] }[]} dependencies
 */

/**
 * The packages of a release and what they bring, as CycloneDX 1.5: what npm installs with them, by the lockfile, and what is
 * bundled into the widget, by the licenses of its build. npm alone would leave out the latter: they are `devDependencies`.
 *
 * @param {readonly string[]} names the published packages
 * @returns {Promise<Bom>}
 */
export async function billOfMaterials(names) {
  const installed = await npmSbom(["--omit", "dev", ...names.flatMap((name) => ["--workspace", name])]);
  const everything = await npmSbom([]);
  const licenses = readFileSync(join(root, "packages", "widget", "dist", "licenses.txt"), "utf8");
  const bundled = licenses.split(/\n\n-{80}\n\n/).map((license) => {
    const nameAndVersion = license.slice(0, license.indexOf("\n"));
    const component = everything.components.find(({ name, version }) => `${name} ${version}` === nameAndVersion);
    if (!component) throw new Error(`The lockfile does not have ${nameAndVersion}, which the widget's build contains.`);
    return Object.assign(component, { scope: "required" });
  });
  const refs = bundled.map((component) => component["bom-ref"]);
  const isBundled = (/** @type {string} */ ref) => refs.includes(ref);
  return {
    ...installed,
    components: [...installed.components.filter((component) => !isBundled(component["bom-ref"])), ...bundled],
    dependencies: [
      ...installed.dependencies
        .filter(({ ref }) => !isBundled(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: ref.startsWith("@nitka/widget@") ? [...dependsOn, ...refs] : dependsOn,
        })),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/**
 * @param {readonly string[]} options
 * @returns {Promise<Bom>}
 */
async function npmSbom(options) {
  const args = [
    findNpm(),
    "sbom",
    "--package-lock-only",
    "--sbom-format",
    "cyclonedx",
    "--loglevel",
    "error",
    ...options,
  ];
  const { ok, output } = await runCommand(process.execPath, args, { cwd: root });
  if (!ok) throw new Error(`npm sbom failed:\n${output}`);
  return JSON.parse(output.slice(output.indexOf("{")));
}
