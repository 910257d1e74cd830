// House rules that the linter does not have: file names, sizes of folders, forbidden texts, commands that run on every system,
// no registry in the lockfile, links in documents.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { brokenLinks } from "./document-links.mjs";
import { root } from "./workspace.mjs";

const sources = new Set([".ts", ".tsx", ".mjs", ".cjs", ".css"]);

/** Names that say nothing about a file's content, which belongs beside the code that uses it. */
const vague = /^(utils?|helpers?|common|shared|types?|lib|core|managers?|misc|constants?|index)$/;

/**
 * Texts that are forbidden in source files, each with its reason.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const forbidden = [
  [/\b(oxlint|eslint)-disable/, "a rule is switched off; change the code, or the rule for everyone"],
  [/@ts-(ignore|expect-error|nocheck)\b/, "the type check is switched off"],
  [/\.(only|skip|todo)\(/, "a test is left out"],
  [/\b(TODO|FIXME|XXX|HACK)\b/, "finish it, or leave it out"],
  [
    /\bshell: true\b|\bexecSync\(/,
    "every system has another shell; start the program itself, with a list of arguments",
  ],
  [
    /\b(spawn(Sync)?|execFile(Sync)?|runCommand)\(\s*["'`](npm|npx)["'`]/,
    "a batch file on Windows; run findNpm() with Node",
  ],
];

/** A program and plain words, which every system's shell reads alike: nothing is expanded, joined or redirected. */
const plainCommand = /^[\w@.:-]+( [\w@./:=-]+)*$/;

/**
 * Phrases that hide their meaning. docs/glossary.md has the words to use instead.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const unclear = [
  [/\b(whoever|whomever|somebody)\b/i, "name who it is: the visitor, the host, the caller"],
  [/\bstrangers?\b/i, "name who or what it is: another visitor, a new visitor, an unknown message"],
  [/\b(bears|tells of|told of)\b/i, "say «has» or «names»"],
  [/\bgoes before\b/i, "say «wins» or «comes first»"],
  [/\b(in the same breath|is no matter|is dear)\b/i, "say it literally"],
  [/\blets? go of\b/i, "say «removes», «releases» or «closes»"],
  [/\bhurry\(/, "say «retry now»"],
  [/\b(thereby|whereupon|therein|upon)\b/i, "use a plain conjunction"],
];

/** Classes are for styles. Behaviour finds its elements by a ref, a role or a data attribute. */
const classSelector = /\b(?:querySelector(?:All)?|closest|matches)(?:<[^>]*>)?\(\s*["'`][^"'`]*\.[a-zA-Z]/;

/** Features that the widget's oldest browsers lack. docs/embedding.md names these browsers. */
const newerThanBrowsers = /** @type {const} */ ([
  /\bURL\.parse\(/,
  "Chrome 123 and Safari 17.5 lack it; use URL.canParse",
]);

/**
 * The maximum number of source files in a folder, without tests. If there are more, related files get a folder of their own.
 */
const MAX_FILES = 25;

const files = listFiles();
const complaints = files
  .filter((path) => sources.has(extname(path)))
  .flatMap((path) => complaintsAboutName(path).concat(complaintsAboutText(path)))
  .concat(files.filter((path) => extname(path) === ".md").flatMap(complaintsAboutLinks))
  .concat(
    files.filter((path) => sources.has(extname(path)) || extname(path) === ".md").flatMap(complaintsAboutWording),
  );
complaints.push(...complaintsAboutSystems(files), ...complaintsAboutFolders(files));
complaints.push(...files.filter((path) => basename(path) === "package.json").flatMap(complaintsAboutCommands));
if (/"resolved": "https?:/.test(readFileSync(join(root, "package-lock.json"), "utf8"))) {
  complaints.push('package-lock.json names a registry ("resolved"): install with the settings of .npmrc');
}
for (const complaint of complaints) console.log(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;

/** Every file of the repository, including files that are not committed yet. */
function listFiles() {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function complaintsAboutName(path) {
  const [name = ""] = basename(path).replace(/^\./, "").split(".");
  // VitePress finds the theme by its name.
  const isEntry = /^(packages\/[^/]+\/src\/index\.(test\.)?|site\/\.vitepress\/theme\/index\.)ts$/.test(path);
  return [
    ...(vague.test(name) && !isEntry ? [`${path}: «${name}» says nothing; name the file for what it exports`] : []),
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ? [] : [`${path}: file names are in kebab-case`]),
  ];
}

/**
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
function complaintsAboutFolders(paths) {
  const counted = paths.filter((path) => /^(packages|apps|bench)\//.test(path) && sources.has(extname(path)));
  const folders = Map.groupBy(
    counted.filter((path) => !/\.(test|spec|contract)\./.test(path)),
    dirname,
  );
  return [...folders].flatMap(([folder, { length }]) =>
    length > MAX_FILES ? [`${folder}: ${length} source files, more than ${MAX_FILES}; divide it by noun`] : [],
  );
}

/**
 * Windows rejects some names. Windows and macOS treat names that differ only in case as the same.
 *
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
function complaintsAboutSystems(paths) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  return paths.flatMap((path) => {
    const other = seen.get(path.toLowerCase());
    seen.set(path.toLowerCase(), path);
    return [
      ...(other === undefined ? [] : [`${path}: is the same file as ${other} on Windows and macOS`]),
      ...(/[<>:"|?*\\]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)/i.test(path)
        ? [`${path}: Windows cannot have a file of this name`]
        : []),
    ];
  });
}

/**
 * @param {string} path of a package.json
 * @returns {string[]}
 */
function complaintsAboutCommands(path) {
  const { scripts = {}, dependencies = {}, devDependencies = {} } = JSON.parse(read(path) || "{}");
  const installed = { ...dependencies, ...devDependencies };
  return Object.entries(scripts).flatMap(([name, command]) => {
    const [program = ""] = String(command).split(" ");
    const isKnown = ["node", "npm"].includes(program) || program in installed;
    return plainCommand.test(String(command)) && isKnown
      ? []
      : [
          `${path}: the script «${name}» needs a shell; make it node, npm or a dependency of this package, and plain words`,
        ];
  });
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function complaintsAboutText(path) {
  // This file contains the forbidden texts as patterns.
  if (path === "scripts/check-house.mjs") return [];
  const text = read(path);
  const isView = path.startsWith("packages/widget/src/") && !/\.test\.tsx?$/.test(path);
  return complaintsAboutPatterns(path, text, [
    ...forbidden,
    ...(path.startsWith("packages/widget/src/") ? [newerThanBrowsers] : []),
    ...(isView
      ? [/** @type {const} */ ([classSelector, "a class decides behaviour; use a ref, a role or a data attribute"])]
      : []),
  ]);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function complaintsAboutWording(path) {
  if (path === "scripts/check-house.mjs" || path === "docs/glossary.md") return [];
  return complaintsAboutPatterns(path, read(path), unclear);
}

/**
 * @param {string} path
 * @param {string} text
 * @param {readonly (readonly [RegExp, string])[]} patterns
 * @returns {string[]} the first place of each pattern
 */
function complaintsAboutPatterns(path, text, patterns) {
  return patterns.flatMap(([pattern, why]) => {
    const at = text.search(pattern);
    return at < 0 ? [] : [`${path}:${text.slice(0, at).split("\n").length}: «${pattern.exec(text)?.[0]}»: ${why}`];
  });
}

/**
 * @param {string} path of a document
 * @returns {string[]}
 */
function complaintsAboutLinks(path) {
  return brokenLinks(path, { read, exists: (target) => existsSync(join(root, target)) }).map(
    (link) => `${path}: the link ${link} leads nowhere`,
  );
}

/** @param {string} path of a file that git lists, but that may have been deleted */
function read(path) {
  const full = join(root, path);
  return existsSync(full) ? readFileSync(full, "utf8") : "";
}
