/** The languages that are highlighted. Each grammar is a chunk, which loads with the first code that needs it. */
import type { LanguageFn } from "highlight.js";
import type { loadChunk as LoadChunk } from "../../load-chunk.ts";

export interface Language {
  /** Other names of the language in highlight.js. The grammar cannot be asked before it has loaded. */
  readonly aliases: readonly string[];
  readonly load: () => Promise<{ readonly default: LanguageFn }>;
  /** Other languages inside its code, each with a pattern of code that may contain it. */
  readonly embedded?: Readonly<Record<string, RegExp>>;
}

/** JSX, and templates in the style of Lit. */
const inScripts = { xml: /<[\w\\.:>-]|html`/, css: /css`/ };

/** The commands after a prompt or after `RUN`. */
const inShells = { bash: /\w/ };

export type Languages = Readonly<Record<string, Language>>;

/**
 * @param loadChunk an argument, so that this chunk imports nothing from the app: the import would add the bundler's helpers to
 * the app
 */
export function createLanguages(loadChunk: typeof LoadChunk): Languages {
  return {
    bash: { aliases: ["sh", "zsh"], load: loadChunk(() => import("highlight.js/lib/languages/bash")) },
    c: { aliases: ["h"], load: loadChunk(() => import("highlight.js/lib/languages/c")) },
    cpp: {
      aliases: ["cc", "c++", "h++", "hpp", "hh", "hxx", "cxx"],
      load: loadChunk(() => import("highlight.js/lib/languages/cpp")),
    },
    csharp: { aliases: ["cs", "c#"], load: loadChunk(() => import("highlight.js/lib/languages/csharp")) },
    css: { aliases: [], load: loadChunk(() => import("highlight.js/lib/languages/css")) },
    diff: { aliases: ["patch"], load: loadChunk(() => import("highlight.js/lib/languages/diff")) },
    dockerfile: {
      aliases: ["docker"],
      load: loadChunk(() => import("highlight.js/lib/languages/dockerfile")),
      embedded: inShells,
    },
    go: { aliases: ["golang"], load: loadChunk(() => import("highlight.js/lib/languages/go")) },
    ini: { aliases: ["toml"], load: loadChunk(() => import("highlight.js/lib/languages/ini")) },
    java: { aliases: ["jsp"], load: loadChunk(() => import("highlight.js/lib/languages/java")) },
    javascript: {
      aliases: ["js", "jsx", "mjs", "cjs"],
      load: loadChunk(() => import("highlight.js/lib/languages/javascript")),
      embedded: inScripts,
    },
    json: { aliases: ["jsonc", "json5"], load: loadChunk(() => import("highlight.js/lib/languages/json")) },
    kotlin: {
      aliases: ["kt", "kts", "ktm", "ktx"],
      load: loadChunk(() => import("highlight.js/lib/languages/kotlin")),
    },
    php: { aliases: [], load: loadChunk(() => import("highlight.js/lib/languages/php")) },
    powershell: {
      aliases: ["pwsh", "ps", "ps1"],
      load: loadChunk(() => import("highlight.js/lib/languages/powershell")),
    },
    python: { aliases: ["py", "gyp", "ipython"], load: loadChunk(() => import("highlight.js/lib/languages/python")) },
    ruby: {
      aliases: ["rb", "gemspec", "podspec", "thor", "irb"],
      load: loadChunk(() => import("highlight.js/lib/languages/ruby")),
    },
    rust: { aliases: ["rs"], load: loadChunk(() => import("highlight.js/lib/languages/rust")) },
    shell: {
      aliases: ["console", "shellsession"],
      load: loadChunk(() => import("highlight.js/lib/languages/shell")),
      embedded: inShells,
    },
    sql: { aliases: [], load: loadChunk(() => import("highlight.js/lib/languages/sql")) },
    swift: { aliases: [], load: loadChunk(() => import("highlight.js/lib/languages/swift")) },
    typescript: {
      aliases: ["ts", "tsx", "mts", "cts"],
      load: loadChunk(() => import("highlight.js/lib/languages/typescript")),
      embedded: inScripts,
    },
    xml: {
      aliases: ["html", "xhtml", "rss", "atom", "xjb", "xsd", "xsl", "plist", "wsf", "svg"],
      load: loadChunk(() => import("highlight.js/lib/languages/xml")),
      embedded: { javascript: /<script[\s>]/i, css: /<style[\s>]/i },
    },
    yaml: { aliases: ["yml"], load: loadChunk(() => import("highlight.js/lib/languages/yaml")) },
  };
}
