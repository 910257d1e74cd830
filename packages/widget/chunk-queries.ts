import type { Plugin } from "vite";

/** A lazy chunk, as the bundler writes it before it is minified. */
const LOAD = /\b(loadChunk[\w$]*)\(\(\) => import\((["'`]\.\/[^"'`]+["'`])\)/g;

/** Gives every lazy chunk's address the query that loadChunk passes: without one a load that failed fails for ever. */
export function chunkQueries(): Plugin {
  return {
    name: "nitka:chunk-queries",
    renderChunk(code, { fileName }) {
      const changed = code.replaceAll(LOAD, "$1((query) => import($2 + query)");
      if (/\bimport\(["'`]\.\/[^"'`]*["'`]\)/.test(changed)) {
        throw new Error(`${fileName} loads a chunk by import() alone: load it with loadChunk(() => import("…")).`);
      }
      // Every line is where it was, so that the source map holds.
      return { code: changed, map: null };
    },
  };
}
