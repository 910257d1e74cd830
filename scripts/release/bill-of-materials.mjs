// The software bill of materials of a release, for operators who must know what a package contains.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
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
 * The packages of a release and their contents, as CycloneDX 1.5: the packages that npm installs with them, by the lockfile,
 * and the packages that are bundled into the widget, by the licenses of its build. npm alone would leave out the latter,
 * because they are `devDependencies`.
 *
 * @param {readonly string[]} names the published packages
 * @returns {Promise<Bom>}
 */
export async function billOfMaterials(names) {
  const everything = await npmSbom();
  const refs = installedWith(names);
  const licenses = readFileSync(join(root, "packages", "widget", "dist", "licenses.txt"), "utf8");
  const bundled = licenses.split(/\n\n-{80}\n\n/).map((license) => {
    const nameAndVersion = license.slice(0, license.indexOf("\n"));
    const component = everything.components.find(({ name, version }) => `${name} ${version}` === nameAndVersion);
    if (!component) throw new Error(`The lockfile does not have ${nameAndVersion}, which the widget's build contains.`);
    return Object.assign(component, { scope: "required" });
  });
  const bundledRefs = bundled.map((component) => component["bom-ref"]);
  for (const ref of bundledRefs) refs.delete(ref);
  return {
    ...everything,
    components: [...everything.components.filter((component) => refs.has(component["bom-ref"])), ...bundled],
    dependencies: [
      ...everything.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => {
          const installed = dependsOn.filter((each) => refs.has(each));
          return { ref, dependsOn: ref.startsWith("@nitka/widget@") ? [...installed, ...bundledRefs] : installed };
        }),
      ...bundledRefs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/**
 * @typedef {object} Locked An entry of the lockfile.
 * @property {string} [name]
 * @property {string} version
 * @property {boolean} [link]
 * @property {string} [resolved]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 */

/**
 * The packages, and what npm installs with them, as `name@version`. `npm sbom --omit dev` leaves out packages that are also
 * used by a tool of the repository.
 *
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
function installedWith(names) {
  /** @type {{ packages: Readonly<Record<string, Locked>> }} */
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const isOwn = (/** @type {string} */ place) => !place.includes("node_modules/");
  // The lockfile leaves out a name that the path already contains.
  const nameAt = (/** @type {string} */ place) =>
    packages[place]?.name ?? (isOwn(place) ? basename(place) : place.replace(/^.*node_modules\//, ""));
  const places = new Set(Object.keys(packages).filter((place) => isOwn(place) && names.includes(nameAt(place))));
  /** @type {Set<string>} */
  const refs = new Set();
  // Iterating a set includes elements that are added meanwhile.
  for (const place of places) {
    const { version, ...entry } = packages[place] ?? { version: "" };
    refs.add(`${nameAt(place)}@${version}`);
    const wanted = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const each of Object.keys(wanted)) {
      const found = placesOf(place, each).find((candidate) => candidate in packages);
      const locked = found === undefined ? undefined : packages[found];
      // An optional dependency may be missing.
      if (found !== undefined) places.add(locked?.link ? (locked.resolved ?? found) : found);
    }
  }
  return refs;
}

/**
 * The places where Node looks for a package, nearest first.
 *
 * @param {string} place of the package that needs it
 * @param {string} name
 */
function placesOf(place, name) {
  const folders = place.split("/");
  return folders
    .map((_, index) => folders.slice(0, folders.length - index).join("/"))
    .filter((folder) => !folder.endsWith("node_modules"))
    .map((folder) => `${folder}/node_modules/${name}`)
    .concat(`node_modules/${name}`);
}

/** @returns {Promise<Bom>} */
async function npmSbom() {
  const args = [findNpm(), "sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--loglevel", "error"];
  const { ok, output } = await runCommand(process.execPath, args, { cwd: root });
  if (!ok) throw new Error(`npm sbom failed:\n${output}`);
  return JSON.parse(output.slice(output.indexOf("{")));
}
