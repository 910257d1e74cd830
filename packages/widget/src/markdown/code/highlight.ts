/** Syntax highlighting. This file is a chunk that loads with the first closed block of code. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/core";
import type { loadChunk as LoadChunk } from "../../load-chunk.ts";
import { createLanguages } from "./languages.ts";
import type { Languages } from "./languages.ts";

/** A run of code with one colour; `undefined` is the colour of the text. */
export interface Token {
  readonly text: string;
  readonly kind: Kind | undefined;
}

type Kind = keyof typeof scopesOf;

/** The highlight.js scopes of each colour. */
const scopesOf = {
  comment: "comment",
  meta: "meta quote",
  keyword: "keyword literal selector-tag name tag",
  string: "string regexp addition symbol bullet",
  number: "number variable template-variable attribute",
  name: "title section built_in type attr property selector-class selector-id",
  deletion: "deletion",
  emphasis: "emphasis",
  strong: "strong",
} as const;

const kinds = new Map(
  Object.entries(scopesOf).flatMap(([kind, scopes]) =>
    scopes.split(" ").map((scope) => [scope, kind as Kind] as const),
  ),
);

/** highlight.js takes quadratic time for a word: one of 30,000 letters freezes the page. */
const endlessWord = /\w{2000}/;

/**
 * Splits code into tokens, cut at the ends of its pieces. Rejects if its language cannot be loaded.
 *
 * @param language a name or an alias, such as `typescript` or `ts`
 * @returns `undefined` for an unknown language, and for code with a word of 2,000 letters or more
 *
 * @example await highlight(["const a;"], "ts") // [[{ text: "const", kind: "keyword" }, { text: " a;", kind: undefined }]]
 */
export type Highlight = (
  pieces: readonly string[],
  language: string,
) => Promise<readonly (readonly Token[])[] | undefined>;

/** Creates a highlighter, which keeps the languages that it has loaded. */
export function createHighlight(loadChunk: typeof LoadChunk, known: Languages = createLanguages(loadChunk)): Highlight {
  const highlighter = hljs.newInstance();
  highlighter.configure({ __emitter: TokenEmitter });

  /** Loads a language and the languages that the code embeds. */
  const load = async (name: string, code: string): Promise<void> => {
    const wanted = new Set([name]);
    // Iterating a set includes elements that are added meanwhile.
    for (const each of wanted) {
      for (const [embedded, sign] of Object.entries(known[each]?.embedded ?? {}))
        if (sign.test(code)) wanted.add(embedded);
    }
    await Promise.all(
      [...wanted].map(async (each) => {
        const grammar = await known[each]?.load();
        if (grammar && !highlighter.getLanguage(each)) highlighter.registerLanguage(each, grammar.default);
      }),
    );
  };

  return async (pieces, language) => {
    const asked = language.toLowerCase();
    const name = Object.hasOwn(known, asked)
      ? asked
      : Object.keys(known).find((each) => known[each]?.aliases.includes(asked));
    const code = pieces.join("");
    if (name === undefined || endlessWord.test(code)) return undefined;
    await load(name, code);
    const { _emitter: emitter } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
    return emitter instanceof TokenEmitter ? cut(emitter.tokens, pieces) : undefined;
  };
}

/** Collects tokens in place of highlight.js's emitter, which writes HTML. */
class TokenEmitter implements Emitter {
  readonly tokens: Token[] = [];
  readonly #kinds: (Kind | undefined)[] = [];

  addText(text: string): void {
    const kind = this.#kinds.at(-1);
    const last = this.tokens.at(-1);
    if (last && last.kind === kind) this.tokens[this.tokens.length - 1] = { text: last.text + text, kind };
    else if (text !== "") this.tokens.push({ text, kind });
  }

  startScope(name: string): void {
    this.#kinds.push(kinds.get(name.split(".")[0] ?? name));
  }

  endScope(): void {
    this.#kinds.pop();
  }

  // highlight.js also calls these two, which its types do not have.
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof TokenEmitter) this.tokens.push(...emitter.tokens);
  }

  finalize(): void {
    this.#kinds.length = 0;
  }

  toHTML(): string {
    return "";
  }
}

function cut(tokens: readonly Token[], pieces: readonly string[]): readonly (readonly Token[])[] {
  const queue = tokens.toReversed();
  return pieces.map((piece) => {
    const taken: Token[] = [];
    let left = piece.length;
    while (left > 0) {
      const token = queue.pop();
      if (!token) break;
      const text = token.text.slice(0, left);
      taken.push({ text, kind: token.kind });
      if (text.length < token.text.length) queue.push({ text: token.text.slice(text.length), kind: token.kind });
      left -= text.length;
    }
    return taken;
  });
}
