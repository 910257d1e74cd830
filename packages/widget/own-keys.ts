import type { Plugin } from "vite";

/** Walks that take in what an object inherits: of the parser's grammar, and of modules that are used as objects. */
const files = /micromark-util-combine-extensions\/index\.js$|rolldown\/runtime\.js$/;

/**
 * Makes them take an object's own keys alone. Pages whose scripts put enumerable names on `Object.prototype` would have
 * these among the grammar's constructs otherwise, and no answer could be parsed there.
 */
export function ownKeys(): Plugin {
  return {
    name: "nitka:own-keys",
    transform: {
      filter: { id: files },
      handler(code, id) {
        const changed = code.replaceAll(/for \(((?:var |let )?\w+) in (\w+)\)/g, "for ($1 of Object.keys($2))");
        if (changed === code) throw new Error(`${id} walks its objects in another way now: see own-keys.ts.`);
        return { code: changed, map: null };
      },
    },
  };
}
