/**
 * Builds `dist/`, the content of `/widget/`: `nitka.js` for script tags, `index.js` for modules, the app and its lazy chunks
 * with content hashes in their names, the four stylesheets, `tokens.css` for pages that look like the widget (the desk), and
 * `manifest.json`, which lists what is loaded when. With `--loud` it builds `dist-loud/` for the tests, in which the code that
 * trim-react.ts removes from React throws if it is called. With `--whole <folder>` it builds the folder with React as
 * published.
 */
import { existsSync } from "node:fs";
import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import type { InlineConfig, Rolldown } from "vite";
import { appExports } from "./app-exports.ts";
import {
  APP,
  appOptions,
  appOutput,
  commonConfig,
  COMPILE_HINT,
  ENTRY_TARGET,
  output as commonOutput,
  source,
  TOGETHER,
} from "./build-config.ts";
import { chunkFiles } from "./chunk-files.ts";

const root = import.meta.dirname;
const { loud, whole } = parseArgs({ options: { loud: { type: "boolean" }, whole: { type: "string" } } }).values;
const dist = resolve(root, whole ?? (loud ? "dist-loud" : "dist"));

/** The build is written here and moved when it is complete, so that a running server never serves half of a build. */
const next = `${dist}.next`;

/** The closed launcher shares no file with the app, because most pages never load the app. */
const LAUNCHER = join(source, "launcher.ts");
/** Browsers that are too old for the app load this in its place. */
const OLD_BROWSER = join(source, "old-browser.ts");
/** The entries of the chunks that load with the first answer. */
const ANSWER = ["ui/thread/thread.tsx", "ui/markdown/document-view.tsx", "actions/runs/answer-writer.ts"];
/** The chunks most of whose functions are called as soon as they have loaded. */
const CALLED_AT_ONCE = new Set(["app", "thread", "document-view"]);
const STYLESHEETS = ["base", "main"];
const ANSWER_STYLESHEETS = ["markdown", "markdown-dot"];

const common = commonConfig(whole === undefined ? (loud ? "loud" : "trimmed") : "whole");
const output = { ...commonOutput, outDir: next, sourcemap: true } satisfies InlineConfig["build"];

await rm(next, { recursive: true, force: true });
const chunks = await buildApp();
const app = chunks.find((chunk) => chunk.name === "app");
if (!app) throw new Error("The build made no chunk for src/create-app.tsx: the loader would have nothing to load.");
const launcher = await buildAlone("launcher", LAUNCHER);
const oldBrowser = await buildAlone("old-browser", OLD_BROWSER);
await buildLoader(app.fileName);
await buildModule(app.fileName);
await buildStyles();
await writeFile(join(next, "manifest.json"), `${JSON.stringify(manifestOf(app), null, 2)}\n`);
await writeFile(join(next, "licenses.txt"), await licensesOf(chunks));
await rm(dist, { recursive: true, force: true });
await rename(next, dist);

/** The app and its lazy chunks. */
async function buildApp(): Promise<readonly Rolldown.OutputChunk[]> {
  const result = await build({
    ...common,
    plugins: [...common.plugins, appExports(), chunkFiles()],
    build: {
      ...output,
      // The app is built as a library, so that dynamic imports stay as they are: Vite's preload helper adds elements without a
      // nonce.
      lib: { entry: { app: APP }, formats: ["es"] },
      rolldownOptions: {
        // The app may export what its lazy chunks need from it: see app-exports.ts.
        preserveEntrySignatures: "allow-extension",
        ...appOptions,
        output: {
          ...appOutput,
          postBanner: ({ name }) => (CALLED_AT_ONCE.has(name) ? COMPILE_HINT : ""),
          // All code that the app starts with is one file.
          codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }, ...TOGETHER] },
        },
      },
    },
  });
  return outputOf(result).filter((file) => file.type === "chunk");
}

/** Builds a file that shares nothing with the app. */
async function buildAlone(name: string, entry: string): Promise<string> {
  const result = await build({
    ...common,
    build: {
      ...output,
      lib: { entry: { [name]: entry }, formats: ["es"] },
      rolldownOptions: { output: { minify: true, entryFileNames: "[name]-[hash].js", comments: false } },
    },
  });
  const [file] = outputOf(result);
  if (!file) throw new Error(`The build made no chunk for ${entry}, which the loader loads.`);
  return file.fileName;
}

/** Builds the classic script, which imports the app by its built name. */
async function buildLoader(appFile: string): Promise<void> {
  await build({
    ...common,
    define: {
      ...common.define,
      NITKA_APP: JSON.stringify(appFile),
      NITKA_LAUNCHER: JSON.stringify(launcher),
      NITKA_OLD_BROWSER: JSON.stringify(oldBrowser),
    },
    build: {
      ...output,
      target: ENTRY_TARGET,
      rolldownOptions: {
        input: join(source, "loader.ts"),
        output: { format: "iife", entryFileNames: "nitka.js", comments: false, postBanner: COMPILE_HINT },
      },
    },
  });
}

/** Builds the entry for modules, which imports the same app. */
async function buildModule(appFile: string): Promise<void> {
  await build({
    ...common,
    plugins: [...common.plugins, chunkFiles()],
    build: {
      ...output,
      target: ENTRY_TARGET,
      lib: { entry: { index: join(source, "index.ts") }, formats: ["es"] },
      rolldownOptions: {
        external: [APP, LAUNCHER, OLD_BROWSER],
        output: {
          minify: true,
          entryFileNames: "[name].js",
          comments: false,
          postBanner: COMPILE_HINT,
          paths: { [APP]: `./${appFile}`, [LAUNCHER]: `./${launcher}`, [OLD_BROWSER]: `./${oldBrowser}` },
        },
      },
    },
  });
}

async function buildStyles(): Promise<void> {
  const names = [...STYLESHEETS, ...ANSWER_STYLESHEETS];
  const input = Object.fromEntries(names.map((name) => [name, join(source, "styles", `${name}.css`)]));
  await build({
    ...common,
    build: { ...output, cssCodeSplit: true, rolldownOptions: { input, output: { assetFileNames: "[name].[ext]" } } },
  });
  // The bundler writes no file for a stylesheet without rules, but the widget links every stylesheet.
  for (const name of names) await appendFile(join(next, cssFile(name)), "");
  const tokens = await readFile(join(source, "styles", "tokens.css"), "utf8");
  await writeFile(join(next, "tokens.css"), tokens.replaceAll(":host", ":root"));
}

/** The files that a browser loads with the script tag, until the composer is usable, and until an answer is shown. */
function manifestOf(appChunk: Rolldown.OutputChunk) {
  const untilTyping = ["nitka.js", ...withImports(appChunk), ...STYLESHEETS.map(cssFile)];
  const answering = ANSWER.flatMap((path) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(source, path)));
    if (!chunk || chunk === appChunk)
      throw new Error(`src/${path} does not load later than the app any more: the weight of an answer would be wrong.`);
    return withImports(chunk);
  });
  const answer = [...new Set([...untilTyping, ...answering, ...ANSWER_STYLESHEETS.map(cssFile)])];
  const later = chunks.map(({ fileName }) => fileName).filter((file) => !answer.includes(file));
  return { loader: ["nitka.js"], closedLauncher: ["nitka.js", launcher], untilTyping, answer, later };
}

function cssFile(name: string): string {
  return `${name}.css`;
}

/** A chunk's file and all files that it imports statically, directly or indirectly. */
function withImports(chunk: Rolldown.OutputChunk): readonly string[] {
  const files = new Set([chunk.fileName]);
  // Iterating a set includes elements that are added meanwhile.
  for (const file of files) {
    const imported = chunks.find((candidate) => candidate.fileName === file)?.imports ?? [];
    for (const name of imported) if (chunks.some(({ fileName }) => fileName === name)) files.add(name);
  }
  return [...files];
}

/** The licenses of all packages whose code is in the build. */
async function licensesOf(built: readonly Rolldown.OutputChunk[]): Promise<string> {
  const folders = new Set(
    built
      .flatMap((chunk) => chunk.moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const texts = await Promise.all([...folders].toSorted().map(licenseIn));
  return texts.join(`\n\n${"-".repeat(80)}\n\n`);
}

async function licenseIn(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const file = ["LICENSE", "license", "LICENSE.md", "LICENSE.txt"].map((each) => join(folder, each)).find(existsSync);
  const text = file === undefined ? `License: ${license ?? "not stated"}` : await readFile(file, "utf8");
  return `${name} ${version}\n\n${text.trim()}`;
}

function outputOf(result: Awaited<ReturnType<typeof build>>): readonly Rolldown.OutputChunk[] {
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !("output" in first)) throw new Error("The build gave no output.");
  return first.output.filter((file) => file.type === "chunk");
}
