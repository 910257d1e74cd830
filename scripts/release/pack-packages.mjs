// Makes the packages as npm publishes them, in `dist/packages`, and their tarballs, in `dist/tarballs`:
// `node scripts/release/pack-packages.mjs`.
//
// In the repository the entries of a package are its sources: `exports` in its package.json names `./src/x.ts`, and nothing
// has to be built. Node runs no TypeScript below node_modules, so a published package has compiled files instead. A package
// is published when its package.json has `publishConfig.directory`, the staged folder from which changesets publishes it.
// Staging makes of `packages/x`:
//
// - `dist/`: what its published entries reach, compiled by tsc: `src/y.ts` becomes `dist/y.js` and `dist/y.d.ts`. Entries
//   that name a `*.contract.ts` or a file in a `testing` folder are for this repository, and are left out. A package that
//   has a `stage.ts` fills the folder itself: `node stage.ts <folder>` runs in the package, and tsc does not.
// - package.json: that of the repository without `scripts` and `devDependencies`. `./src/y.ts` in `exports` and `imports`
//   is what it was compiled to. Every other field of `publishConfig` (`exports`, `peerDependencies`, …) replaces the field of
//   its name. Exact versions of dependencies become ranges (`^`).
// - every other path in `files`, README.md, CHANGELOG.md and LICENSE: from the package, or else from the repository's root.

import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import { buildWidget, isWidgetBuilt } from "../build-widget.mjs";
import { filesBelow } from "../files-below.mjs";
import { findNpm } from "../find-npm.mjs";
import { entrySources, isForTests, publishedManifest } from "./published-manifest.mjs";
import { runCommand } from "../run-command.mjs";
import { runCompiler } from "../run-compiler.mjs";
import { findNode, root } from "../workspace.mjs";

/**
 * @typedef {object} PackedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} folder The staged folder.
 * @property {string} tarball
 */

/** In this order, because each is compiled against the compiled types of the previous ones. */
const sources = [
  "packages/protocol",
  "packages/widget",
  "packages/server",
  "packages/demo-model",
  "packages/desk",
  "packages/conformance",
  "packages/ai-sdk",
  "packages/knowledge",
  "apps/nitka",
];

const staged = join(root, "dist", "packages");
const tarballs = join(root, "dist", "tarballs");

if (process.argv[1] === import.meta.filename) {
  try {
    for (const { tarball } of await packPackages()) console.log(relative(root, tarball));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * Stages and packs every package that is published.
 *
 * @returns {Promise<readonly PackedPackage[]>}
 */
export async function packPackages() {
  const packages = await stagePackages();
  const folders = packages.map(({ folder }) => folder);
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  const args = [findNpm(), "pack", ...folders, "--pack-destination", tarballs];
  mustWork("npm pack", await runCommand(process.execPath, args, { cwd: root }));
  return packages;
}

/**
 * Stages every package that is published.
 *
 * @returns {Promise<readonly PackedPackage[]>}
 */
async function stagePackages() {
  if (!isWidgetBuilt()) mustWork("The widget's build", await buildWidget());
  rmSync(staged, { recursive: true, force: true });
  const packages = [];
  for (const source of sources) packages.push(await stagePackage(source));
  return packages;
}

/**
 * @param {string} source the package's folder in the repository
 * @returns {Promise<PackedPackage>}
 */
async function stagePackage(source) {
  const from = join(root, source);
  const folder = join(staged, basename(source));
  const manifest = readJson(join(from, "package.json"));
  const published = publishedManifest(manifest, { folder: source, repository: repository() });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  if (existsSync(join(from, "stage.ts"))) {
    mustWork(`Staging ${source}`, await runCommand(findNode(), ["stage.ts", folder], { cwd: from }));
  } else {
    await compile(from, folder, entrySources(manifest));
  }
  for (const path of [...published.files, "README.md", "CHANGELOG.md"].filter((each) => each !== "dist")) {
    if (existsSync(join(from, path))) cpSync(join(from, path), join(folder, path), { recursive: true });
  }
  for (const path of [...published.files, "LICENSE"].filter((each) => !existsSync(join(folder, each)))) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const { name, version } = manifest;
  return {
    name,
    version,
    folder,
    tarball: join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`),
  };
}

/**
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} entries
 */
async function compile(from, to, entries) {
  const files = entries.flatMap((entry) => globSync(entry, { cwd: from })).filter((path) => !isForTests(path));
  const config = join(to, "tsconfig.json");
  const settings = {
    extends: join(from, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(from, "src"),
      outDir: join(to, "dist"),
      paths: stagedTypes(),
    },
    include: [],
    files: files.map((path) => join(from, path)),
  };
  writeFileSync(config, JSON.stringify(settings));
  mustWork(`Compiling ${relative(root, from)}`, await runCompiler(["-p", config], { cwd: root }));
  rmSync(config);
  for (const path of filesBelow(join(to, "dist")).filter((each) => each.endsWith(".d.ts"))) {
    writeFileSync(path, withCompiledImports(readFileSync(path, "utf8")));
  }
}

/**
 * Makes the compiler find the staged packages as their users do. Otherwise it would treat their sources as files of this
 * package.
 */
function stagedTypes() {
  const packages = existsSync(staged) ? readdirSync(staged).map((name) => join(staged, name)) : [];
  return Object.fromEntries(
    packages.flatMap((folder) => {
      const { name, exports } = readJson(join(folder, "package.json"));
      return Object.entries(exports ?? {}).flatMap(([entry, target]) =>
        typeof target?.types === "string" ? [[posix.join(name, entry), [join(folder, target.types)]]] : [],
      );
    }),
  );
}

/**
 * Changes `./y.ts` in types, which the compiler leaves as it is and older compilers and some editors do not follow.
 *
 * @param {string} types
 */
function withCompiledImports(types) {
  return types.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]*)\.tsx?"/g, '$1.js"');
}

/**
 * The repository that npm shows on the package's page, and whose workflow it checks. It is the one in which the release runs.
 */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? { type: "git", url: `git+${server}/${name}.git` } : undefined;
}

/**
 * @param {string} what
 * @param {{ readonly ok: boolean, readonly output: string }} result
 */
function mustWork(what, { ok, output }) {
  if (!ok) throw new Error(`${what} failed:\n${output}`);
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
