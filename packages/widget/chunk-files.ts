import { join } from "node:path";
import type { Plugin } from "vite";

const LOAD_FILE = join(import.meta.dirname, "src/load-file.ts");

/** The code that loads a lazy chunk, as the bundler writes it before minification. */
const LOAD = /\(\(\) => import\(["'`]\.\/([^"'`]+)\.js["'`]\)(?:\.then\((\(\w+\) => \w+\.\w+)\))?\)/g;
const IMPORT = /\bimport\(\s*["'`]\.\/[^"'`]*["'`]\s*\)/;
const STATIC_IMPORT = /^import\b[^;]*["']\.\/([^"']+)["'];$/gm;

/**
 * Makes all code load lazy chunks by their file names, through the registry of load-file.ts. For the same reason no file may
 * import another with a statement, which would request the first address, and that may have failed. Code that two chunks share
 * goes into the app's file, or both chunks into one file (`TOGETHER` in build-config.ts).
 *
 * @example loadChunk(() => import("./menu-1a2b.js")) // becomes loadChunk("menu-1a2b")
 */
export function chunkFiles(): Plugin {
  return {
    name: "nitka:chunk-files",
    resolveId: {
      order: "pre",
      handler: (id, importer) => (id.endsWith("/load-chunk.ts") && importer !== LOAD_FILE ? LOAD_FILE : null),
    },
    renderChunk(code, { fileName }) {
      const changed = code.replaceAll(
        LOAD,
        (_, file: string, pick?: string) => `("${file}"${pick ? `, ${pick}` : ""})`,
      );
      if (IMPORT.test(changed)) {
        throw new Error(`${fileName} loads a chunk by import() alone: load it with loadChunk(() => import("…")).`);
      }
      const [imported] = changed.matchAll(STATIC_IMPORT);
      if (imported) {
        throw new Error(`${fileName} imports ${imported[1]} by a statement: see chunk-files.ts.`);
      }
      // All lines keep their numbers, so the source map stays valid.
      return { code: changed, map: null };
    },
  };
}
