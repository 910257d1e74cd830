import { join } from "node:path";
import type { BuildOptions, InlineConfig } from "vite";
import { minifyFirst } from "./minify-first.ts";
import { ownKeys } from "./own-keys.ts";
import { trimReact } from "./trim-react.ts";

const root = import.meta.dirname;

/** The entries of chunks, as paths below `src`. */
export const source = join(root, "src");

/** The app, which everything else loads. */
export const APP = join(source, "create-app.tsx");

/** Browsers that are too old for the widget must still run the entry, which tells their visitors so. */
export const ENTRY_TARGET = "es2022";

/**
 * Files that are loaded for one purpose, or share code that the app does not need, and become one chunk. A small one of its
 * own would cost a request and compress badly, and what two chunks share would be a third, which may fail by itself.
 */
export const TOGETHER = [
  // The view of messages, what reads an answer's stream, and what makes an answer of it.
  { name: "thread", test: /\/(?:ui\/thread\/thread\.tsx|actions\/runs\/answer-writer\.ts|transport\/read-run\.ts)$/ },
  // What becomes of the files that the visitor chooses.
  { name: "attachments", test: /\/(?:actions\/attachments|transport\/upload)\.ts$/ },
  // The search in the list, and what asks the backend for it.
  { name: "thread-search", test: /\/(?:ui\/thread-list\/thread-search\.tsx|actions\/search-threads\.ts)$/ },
  // How files look: in the composer, in a question, in an answer.
  {
    name: "file-views",
    test: /\/ui\/(?:attachments\/(?:draft-attachments|sent-attachment)\.tsx|parts\/file-views\.tsx)$/,
  },
  // What a visitor needs once the view is there: keys, what floats beside its button, habits of the composer.
  {
    name: "after-view",
    test: /\/(?:ui\/(?:primitives\/menu|shell\/thread-menu|composer\/composer-extras)\.tsx|after-view\.ts)$/,
  },
];

/**
 * Tells V8 to compile all functions of a file while it loads, on another thread. Otherwise it compiles each one at its first
 * call, on the main thread: a fifth of the time until one can type, and a quarter of opening a long thread.
 */
export const COMPILE_HINT = "//# allFunctionsCalledOnLoad";

/**
 * What a build has of React: without what the widget does not use, with code in its place that throws (for the tests), or as
 * published.
 */
export type ReactPart = "trimmed" | "loud" | "whole";

/** What all builds of the widget have in common. */
export function commonConfig(react: ReactPart) {
  // Vite asks for it beside the mode: in the environment of a test it would compile JSX for development.
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
        // micromark's tables bring a copy of what micromark itself has as a package.
        // It is for the messages of errors that nobody reads.
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
  // No lowering: it would write each modern colour twice, and supported browsers need none.
  cssTarget: "esnext",
  modulePreload: false,
  reportCompressedSize: false,
} satisfies InlineConfig["build"];

/** How the app and its lazy chunks are built. */
export const appOptions = {
  treeshake: {
    // No getter in this code has a side effect.
    propertyReadSideEffects: false,
    // Otherwise the app's imports of these, which place them in its file, would be removed.
    moduleSideEffects: [{ test: /\/protocol\/src\/(?:data-url|mime-type)\.ts$/, sideEffects: true }],
  },
  // A constant of another chunk is cheaper in place than as an export.
  optimization: { inlineConst: { mode: "all" } },
} satisfies BuildOptions["rolldownOptions"];

/** How the files of the app's code are written. */
export const appOutput = {
  minify: true,
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
  comments: false,
  // No module's `toStringTag` is read.
  generatedCode: { symbols: false },
} as const;
