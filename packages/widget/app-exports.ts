import type { Plugin } from "vite";
import { TAG } from "./src/element/define-element.ts";

/** The import from the app, and the import of the bundler's helpers, before minification. */
const APP = /^import \{([^}]*)\} from "\.\/app-[^"]*";$/m;
const HELPERS = /^import \{[^}]*\} from "\.\/rolldown-runtime-[^"]*";$/m;

/**
 * Keeps the app's file name out of its chunks. Browsers remember a module's failed address until the page is reloaded, so an
 * app that is loaded again has another address, and its chunks must not import it from the first one. Instead they take what
 * they share with the app from the element's class, where the element puts it. The bundler's helpers would be another file that
 * may fail to load, so each chunk gets its own copy of them.
 */
export function appExports(): Plugin {
  let helpers = "";
  return {
    name: "nitka:app-exports",
    transform: {
      filter: { id: /rolldown\/runtime\.js$/ },
      handler(code) {
        // The copy is on one line, so that all other lines keep their numbers and the source map stays valid.
        helpers = code
          .replaceAll(/^export |^\s*\/\/.*$/gm, "")
          .replaceAll(/\s*\n\s*/g, " ")
          // No code reads a module's `toStringTag` (`generatedCode` in build-config.ts), but the helper still sets it.
          .replace(/if \(!no_symbols\) (?:\{[^}]*\{[^}]*\}[^}]*\}|[^;]*;)/, "");
        return null;
      },
    },
    renderChunk(code, { fileName }) {
      const changed = code
        .replace(
          APP,
          (_, names: string) => `const {${names.replaceAll(" as ", ": ")}} = customElements.get("${TAG}").app;`,
        )
        .replace(HELPERS, () => helpers);
      if (/^import .*"\.\/(?:app|rolldown-runtime)-/m.test(changed)) {
        throw new Error(`${fileName} imports the app in another way now: see app-exports.ts.`);
      }
      return { code: changed, map: null };
    },
    generateBundle(_, bundle) {
      for (const file of Object.keys(bundle))
        if (file.startsWith("rolldown-runtime-")) Reflect.deleteProperty(bundle, file);
    },
  };
}
