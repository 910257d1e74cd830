import { join } from "node:path";
import { minify } from "@swc/core";
import type { BuildOptions, InlineConfig, Plugin } from "vite";
import { trimReact } from "./trim-react.ts";

const root = import.meta.dirname;

/** The entries of chunks, as paths below `src`. */
export const source = join(root, "src");

/** The app, which everything else loads. */
export const APP = join(source, "create-app.tsx");

/** Browsers that are too old for the widget must still run the entry, which shows that message. */
export const ENTRY_TARGET = "es2022";

/**
 * Files that become one chunk, because they are loaded for one purpose or share code that the app does not need. A small chunk
 * would cost a request and compress badly, and the code that two chunks share would be a third chunk, which may fail
 * separately.
 */
export const TOGETHER = [
  // The view of messages, the reader of an answer's stream, and the writer that turns it into an answer.
  { name: "thread", test: /\/(?:ui\/thread\/thread\.tsx|actions\/runs\/answer-writer\.ts|transport\/read-run\.ts)$/ },
  // The handling of files that the visitor chooses.
  { name: "attachments", test: /\/(?:actions\/attachments|transport\/upload)\.ts$/ },
  // The search in the list, and the code that asks the backend.
  { name: "thread-search", test: /\/(?:ui\/thread-list\/thread-search\.tsx|actions\/search-threads\.ts)$/ },
  // The views of files: in the composer, in a question, in an answer.
  {
    name: "file-views",
    test: /\/ui\/(?:attachments\/(?:draft-attachments|sent-attachment)\.tsx|parts\/file-views\.tsx)$/,
  },
  // What a visitor needs once the view is shown: keys, tooltips and popovers, extras of the composer.
  {
    name: "after-view",
    test: /\/(?:ui\/(?:primitives\/menu|shell\/thread-menu|composer\/composer-extras)\.tsx|after-view\.ts)$/,
  },
];

/**
 * Tells V8 to compile all functions of a file while it loads, on another thread. Otherwise it compiles each function at its
 * first call, on the main thread, which takes a fifth of the time until the visitor can type and a quarter of opening a long
 * thread.
 */
export const COMPILE_HINT = "//# allFunctionsCalledOnLoad";

/**
 * The version of React in a build. `trimmed`: without the code that the widget does not use. `loud`: with code in its place
 * that throws, for the tests. `whole`: as published.
 */
export type ReactPart = "trimmed" | "loud" | "whole";

/** The configuration that all builds of the widget share. */
export function commonConfig(react: ReactPart) {
  // Vite reads this beside the mode. In the environment of a test it would compile JSX for development.
  process.env["NODE_ENV"] = "production";
  return {
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: {
      alias: [
        // The package's version for browsers sets `innerHTML`, which pages with Trusted Types forbid.
        { find: "decode-named-character-reference", replacement: join(source, "markdown/named-character.ts") },
        // The text of an image's label, without the package's options.
        {
          find: "mdast-util-to-string",
          replacement:
            "data:text/javascript,export const toString = (node) => node.value ?? node.alt ?? (node.children ?? []).map(toString).join('')",
        },
        // micromark's tables contain a copy of a package that micromark itself uses. It is only needed for messages of errors
        // that nobody reads.
        {
          find: "unist-util-stringify-position",
          replacement: "data:text/javascript,export const stringifyPosition = () => ''",
        },
        { find: /^\.\/edit-map\.js$/, replacement: "micromark-util-edit-map" },
      ],
    },
    plugins: [...(react === "whole" ? [] : [trimReact({ loud: react === "loud" })]), ownKeys(), minifyFirst()],
  } satisfies InlineConfig;
}

export const output = {
  emptyOutDir: false,
  target: "es2022",
  // Colours are not lowered: each modern colour would be written twice, and supported browsers do not need that.
  cssTarget: "esnext",
  modulePreload: false,
  reportCompressedSize: false,
} satisfies InlineConfig["build"];

/** The options of the app's build, including its lazy chunks. */
export const appOptions = {
  treeshake: {
    // No getter in this code has a side effect.
    propertyReadSideEffects: false,
    // Otherwise the bundler would remove the app's imports of these modules, which put them into the app's file.
    moduleSideEffects: [{ test: /\/protocol\/src\/(?:data-url|mime-type)\.ts$/, sideEffects: true }],
  },
  // A constant of another chunk is smaller when it is inlined than as an export.
  optimization: { inlineConst: { mode: "all" } },
} satisfies BuildOptions["rolldownOptions"];

/** The output options of the app's files. */
export const appOutput = {
  minify: true,
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
  comments: false,
  // No code reads a module's `toStringTag`.
  generatedCode: { symbols: false },
} as const;

/** Files with `for … in` loops, which also visit inherited keys: the parser's grammar and the bundler's runtime. */
const INHERITING = /micromark-util-combine-extensions\/index\.js$|rolldown\/runtime\.js$/;

/**
 * Makes these loops visit only own keys. If a page's scripts add enumerable properties to `Object.prototype`, the parser would
 * take those for constructs of the grammar and could parse no answer.
 */
function ownKeys(): Plugin {
  return {
    name: "nitka:own-keys",
    transform: {
      filter: { id: INHERITING },
      handler(code, id) {
        const changed = code.replaceAll(/for \(((?:var |let )?\w+) in (\w+)\)/g, "for ($1 of Object.keys($2))");
        if (changed === code) throw new Error(`${id} has no for…in loop any more: change or remove ownKeys.`);
        return { code: changed, map: null };
      },
    },
  };
}

/**
 * Minifies each file with swc before the bundler's own minifier does. The result is 2 % smaller than with the bundler's alone.
 * Renaming is left to the bundler's minifier.
 */
function minifyFirst(): Plugin {
  return {
    name: "nitka:minify-first",
    renderChunk: {
      // It runs after the other plugins, which search the code as the bundler wrote it.
      order: "post",
      handler: (code, _, { format }) =>
        minify(code, {
          module: format === "es",
          sourceMap: true,
          // `keep_fargs: false` changes the `length` of functions, which no code here reads.
          compress: { ecma: 2022, passes: 6, keep_fargs: false },
          mangle: false,
        }),
    },
  };
}
