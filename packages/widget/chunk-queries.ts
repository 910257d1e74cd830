import type { Plugin } from "vite";

/** The load of a lazy chunk, as the bundler writes it before it is minified. */
const LOAD = /\b(loadChunk[\w$]*)\(\(\) => import\((["'`]\.\/[^"'`]+["'`])\)/g;

/**
 * Appends to each lazy chunk's address the query that `loadChunk` passes: after a load that failed only another address
 * can be loaded.
 *
 * @example loadChunk(() => import("./menu-1a2b.js")) // becomes loadChunk((query) => import("./menu-1a2b.js" + query))
 */
export function chunkQueries(): Plugin {
  return {
    name: "nitka:chunk-queries",
    renderChunk(code, { fileName }) {
      const changed = code.replaceAll(LOAD, "$1((query) => import($2 + query)");
      if (/\bimport\(["'`]\.\/[^"'`]*["'`]\)/.test(changed)) {
        throw new Error(`${fileName} loads a chunk by import() alone: load it with loadChunk(() => import("…")).`);
      }
      // All lines keep their numbers, so the source map stays valid.
      return { code: changed, map: null };
    },
  };
}
