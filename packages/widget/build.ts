/**
 * Builds `dist/` (with `--loud`: `dist-loud/`, for the tests), the whole content of `/widget/`: `nitka.js` for script tags, `index.js` for modules, the app and its
 * lazy chunks under names that change with their content, the four stylesheets, and `manifest.json`, which tells what is
 * loaded when.
 */
import { existsSync } from "node:fs";
import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import type { InlineConfig, Rolldown } from "vite";
import { appExports } from "./app-exports.ts";
import { chunkQueries } from "./chunk-queries.ts";
import { minifyFirst } from "./minify-first.ts";
import { ownKeys } from "./own-keys.ts";
import { trimReact } from "./trim-react.ts";

const root = import.meta.dirname;
const source = join(root, "src");
/** `--loud` builds for the tests: there what is taken out of React throws when it is called after all. */
const loud = process.argv.includes("--loud");
const dist = join(root, loud ? "dist-loud" : "dist");

/** Built here and moved when it is whole, so that a server that is running never sees half of it. */
const next = `${dist}.next`;

const APP = join(source, "create-app.tsx");
/** The closed launcher stands alone: it shares no file with the app, which most of its pages never load. */
const LAUNCHER = join(source, "launcher.ts");
/** So does what a browser loads that is too old. */
const OLD_BROWSER = join(source, "old-browser.ts");
/** What the first answer brings along. */
const ANSWER = ["ui/thread/thread.tsx", "ui/markdown/document-view.tsx"];
const STYLESHEETS = ["base", "main"];
const ANSWER_STYLESHEETS = ["markdown", "markdown-dot"];

/** A browser that is too old for the widget must be able to read what tells it so. */
const ENTRY_TARGET = "es2022";

const common = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: "warn",
  mode: "production",
  define: { "process.env.NODE_ENV": '"production"' },
  // The browser's version of it writes HTML, which pages with trusted types forbid.
  resolve: { alias: { "decode-named-character-reference": join(source, "markdown/named-character.ts") } },
  plugins: [trimReact({ loud }), ownKeys(), minifyFirst()],
} satisfies InlineConfig;

const output = {
  outDir: next,
  emptyOutDir: false,
  target: "es2022",
  // The styles are written for the browsers that we support: lowering their colours would double them.
  cssTarget: "esnext",
  sourcemap: true,
  modulePreload: false,
  reportCompressedSize: false,
} satisfies InlineConfig["build"];

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

/** The app and what it loads later. */
async function buildApp(): Promise<readonly Rolldown.OutputChunk[]> {
  const result = await build({
    ...common,
    plugins: [...common.plugins, chunkQueries(), appExports()],
    build: {
      ...output,
      // As a library, so that imports stay imports: the helper that would preload them knows nothing of a nonce.
      lib: { entry: { app: APP }, formats: ["es"] },
      rolldownOptions: {
        // What the app and a lazy chunk both need stays in the app: the chunk asks it for that.
        preserveEntrySignatures: "allow-extension",
        // Nobody's getter does anything here but answer.
        treeshake: { propertyReadSideEffects: false },
        output: {
          minify: true,
          // All that the app begins with is one file: whatever a lazy chunk shares with it, the browser has by then.
          codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }] },
          entryFileNames: "[name]-[hash].js",
          chunkFileNames: "[name]-[hash].js",
          comments: false,
        },
      },
    },
  });
  return outputOf(result).filter((file) => file.type === "chunk");
}

/** A file that shares nothing with the app. */
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

/** The classic script. It imports the app by the name that the build gave it. */
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
        output: { format: "iife", entryFileNames: "nitka.js", comments: false },
      },
    },
  });
}

/** The entry for modules. It imports the same app. */
async function buildModule(appFile: string): Promise<void> {
  await build({
    ...common,
    plugins: [...common.plugins, chunkQueries()],
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
  // Of a stylesheet without a rule no file is made; its name is promised all the same.
  for (const name of names) await appendFile(join(next, cssFile(name)), "");
}

/** What a visitor's browser loads: the script tag; until the composer can be typed into; until an answer is rendered. */
function manifestOf(appChunk: Rolldown.OutputChunk) {
  const untilTyping = ["nitka.js", ...withImports(appChunk), ...STYLESHEETS.map(cssFile)];
  const answering = ANSWER.flatMap((path) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(source, path));
    if (!chunk)
      throw new Error(`src/${path} has no chunk of its own any more: an answer would weigh what it does not.`);
    return withImports(chunk);
  });
  const answer = [...new Set([...untilTyping, ...answering, ...ANSWER_STYLESHEETS.map(cssFile)])];
  const later = chunks.map(({ fileName }) => fileName).filter((file) => !answer.includes(file));
  return { loader: ["nitka.js"], closedLauncher: ["nitka.js", launcher], untilTyping, answer, later };
}

function cssFile(name: string): string {
  return `${name}.css`;
}

/** A chunk's file, and those that it cannot do without. */
function withImports(chunk: Rolldown.OutputChunk): readonly string[] {
  const files = new Set([chunk.fileName]);
  // A set takes in what is added while it is walked.
  for (const file of files) {
    const imported = chunks.find((candidate) => candidate.fileName === file)?.imports ?? [];
    for (const name of imported) if (chunks.some(({ fileName }) => fileName === name)) files.add(name);
  }
  return [...files];
}

/** The licenses of all that others wrote and we pass on. */
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
  const text = file === undefined ? `License: ${license ?? "not told"}` : await readFile(file, "utf8");
  return `${name} ${version}\n\n${text.trim()}`;
}

function outputOf(result: Awaited<ReturnType<typeof build>>): readonly Rolldown.OutputChunk[] {
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !("output" in first)) throw new Error("The build gave no output.");
  return first.output.filter((file) => file.type === "chunk");
}
