import type { Plugin } from "vite";
import { TAG } from "./src/element/nitka-element.ts";

/** An import from the app, or of the bundler's own few helpers, as it stands before it is minified. */
const APP = /^import \{([^}]*)\} from "\.\/app-[^"]*";$/m;
const HELPERS = /^import \{[^}]*\} from "\.\/rolldown-runtime-[^"]*";$/m;

/**
 * Keeps the app's file name out of its chunks. A browser may keep the failure of an address for as long as the page lives,
 * so an app that is loaded again comes from another address, and its chunks must not import it from the first. They take
 * what they share with it from the element's class, where the element puts it. The bundler's helpers would be a file
 * that the app cannot do without: each chunk has its own copy of the few that it uses.
 */
export function appExports(): Plugin {
  let helpers = "";
  return {
    name: "nitka:app-exports",
    transform: {
      filter: { id: /rolldown\/runtime\.js$/ },
      handler(code) {
        // On one line, so that every other line is where it was and the source map holds.
        helpers = code.replaceAll(/^export |^\s*\/\/.*$/gm, "").replaceAll(/\s*\n\s*/g, " ");
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
