/**
 * @typedef {Readonly<Record<string, unknown>>} Manifest The content of a package.json.
 *
 * @typedef {object} Repository
 * @property {string} type
 * @property {string} url
 *
 * @typedef {string | null | { readonly [key: string]: Target }} Target What a name in `exports` or `imports` stands for.
 */

/** Fields that only this repository needs. */
const development = new Set([
  "private",
  "scripts",
  "dependencies",
  "devDependencies",
  "publishConfig",
  "exports",
  "imports",
  "files",
]);

/** Fields of `publishConfig` that npm itself reads. All others replace the field of the same name. */
const forNpm = new Set(["access", "provenance", "registry", "tag"]);

/**
 * Creates the published package.json from the one in the repository, whose entries are sources.
 *
 * @param {Manifest} manifest
 * @param {object} place
 * @param {string} place.folder of the package in the repository
 * @param {Repository | undefined} place.repository
 * @returns {Manifest & { readonly files: readonly string[] }}
 */
export function publishedManifest(manifest, { folder, repository }) {
  const config = /** @type {Manifest} */ (manifest["publishConfig"] ?? {});
  const { directory: _, ...published } = config;
  const kept = Object.entries(manifest).filter(([field]) => !development.has(field));
  const replaced = Object.entries(published).filter(([field]) => !forNpm.has(field));
  const files = /** @type {readonly string[]} */ (manifest["files"] ?? []);
  return {
    ...Object.fromEntries(kept),
    ...(repository && { repository: { ...repository, directory: folder } }),
    ...targetsOf(manifest, "exports", { compiled: compiledExport }),
    ...targetsOf(manifest, "imports", { compiled: compiledFile }),
    ...Object.fromEntries(replaced),
    ...dependenciesOf(manifest),
    files,
    publishConfig: Object.fromEntries(Object.entries(published).filter(([field]) => forNpm.has(field))),
  };
}

/**
 * The sources of the published entries, with which the compiler starts.
 *
 * @param {Manifest} manifest
 * @returns {readonly string[]} paths from the package's folder, some with a `*`
 */
export function entrySources(manifest) {
  return [manifest["exports"], manifest["imports"]]
    .flatMap((targets) => Object.values(/** @type {Record<string, Target>} */ (targets ?? {})))
    .filter((target) => typeof target === "string")
    .filter((target) => isSource(target) && !isForTests(target));
}

/**
 * @param {Manifest} manifest
 * @param {string} field
 * @param {{ readonly compiled: (source: string) => Target }} how
 */
function targetsOf(manifest, field, { compiled }) {
  const targets = /** @type {Record<string, Target> | undefined} */ (manifest[field]);
  if (targets === undefined) return {};
  const published = Object.entries(targets)
    .filter(([, target]) => typeof target !== "string" || !isForTests(target))
    .map(([name, target]) => [name, typeof target === "string" && isSource(target) ? compiled(target) : target]);
  return { [field]: Object.fromEntries(published) };
}

/**
 * Whether a source is for the tests of this repository, so that its entry is not published.
 *
 * @param {string} path
 */
export function isForTests(path) {
  return /\.(?:test|contract)\.tsx?$|\/testing\//.test(path);
}

/** @param {string} path */
function isSource(path) {
  return /^\.\/src\/.*\.tsx?$/.test(path);
}

/** @param {string} source */
function compiledExport(source) {
  const compiled = compiledFile(source);
  return { types: compiled.replace(/\.js$/, ".d.ts"), default: compiled };
}

/** @param {string} source */
function compiledFile(source) {
  return source.replace(/^\.\/src\//, "./dist/").replace(/\.tsx?$/, ".js");
}

/**
 * Changes pinned versions to ranges. The repository pins every dependency. An installation may have other patch versions, so
 * that one copy serves all, and a fixed dependency needs no release of ours. Our own packages are released together and stay
 * pinned.
 *
 * @param {Manifest} manifest
 */
function dependenciesOf({ dependencies = {} }) {
  const pinned = Object.entries(/** @type {Readonly<Record<string, string>>} */ (dependencies));
  if (pinned.length === 0) return {};
  return {
    dependencies: Object.fromEntries(
      pinned.map(([name, version]) => {
        const isOurs = name === "nitka" || name.startsWith("@nitka/");
        return [name, isOurs ? version : `^${version}`];
      }),
    ),
  };
}
