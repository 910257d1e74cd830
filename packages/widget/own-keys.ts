import type { Plugin } from "vite";

/** Files with `for … in` loops, which also visit inherited keys: the parser's grammar and the bundler's runtime. */
const files = /micromark-util-combine-extensions\/index\.js$|rolldown\/runtime\.js$/;

/**
 * Makes these loops visit only own keys. If a page's scripts add enumerable properties to `Object.prototype`, the parser would
 * take those for constructs of the grammar and could parse no answer.
 */
export function ownKeys(): Plugin {
  return {
    name: "nitka:own-keys",
    transform: {
      filter: { id: files },
      handler(code, id) {
        const changed = code.replaceAll(/for \(((?:var |let )?\w+) in (\w+)\)/g, "for ($1 of Object.keys($2))");
        if (changed === code) throw new Error(`${id} has no for…in loop any more: change or remove own-keys.ts.`);
        return { code: changed, map: null };
      },
    },
  };
}
