/** Syntax highlighting. This file is a chunk that loads with the first closed block of code. */
import type { Emitter, HLJSApi, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** A run of code in one colour; `undefined` is the colour of the text. */
export interface Token {
  readonly text: string;
  readonly kind: Kind | undefined;
}

type Kind = keyof typeof scopesOf;

/** The scopes of highlight.js that have each colour. */
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
 * The tokens of code, cut where its pieces are cut.
 *
 * @param language a name or an alias, such as `typescript` or `ts`
 * @returns `undefined` for an unknown language, and for code with a word of 2,000 letters or more
 *
 * @example highlight(["const a;"], "ts") // [[{ text: "const", kind: "keyword" }, { text: " a;", kind: undefined }]]
 */
export function highlight(pieces: readonly string[], language: string): readonly (readonly Token[])[] | undefined {
  const code = pieces.join("");
  if (!highlighter.getLanguage(language) || endlessWord.test(code)) return undefined;
  const { _emitter: emitter } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return emitter instanceof TokenEmitter ? cut(emitter.tokens, pieces) : undefined;
}

/** Collects tokens, where the emitter of highlight.js writes HTML. */
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

  // highlight.js calls these two as well; its types do not have them.
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

const highlighter = createHighlighter({
  bash,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  php,
  python,
  sql,
  typescript,
  xml,
  yaml,
});

function createHighlighter(languages: Readonly<Record<string, LanguageFn>>): HLJSApi {
  const created = hljs.newInstance();
  for (const [name, language] of Object.entries(languages)) created.registerLanguage(name, language);
  created.configure({ __emitter: TokenEmitter });
  return created;
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
