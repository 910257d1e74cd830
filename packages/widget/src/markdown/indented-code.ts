import { codeIndented } from "micromark-core-commonmark";
import type { Construct, Effects, Extension } from "micromark-util-types";

/**
 * Indented code after a list. micromark marks the first line as a lazy line of the list and ends the code there, because code
 * has no lazy lines: the second line becomes another block of code. Streamed code is parsed without the list before it and has
 * one block.
 *
 * @example
 * // "100. a\n\n    b\n    c" → a list, and one block of code of two lines
 */
export function indentedCode(): Extension {
  const construct: Construct = {
    ...codeIndented,
    tokenize(effects, ok, nok) {
      const { lazy } = this.parser;
      const { line } = this.now();
      const attempt: Effects["attempt"] = (...args) => {
        const state = effects.attempt(...args);
        return (code) => {
          const isLazy = lazy[line] === true;
          lazy[line] = false;
          const next = state(code);
          lazy[line] = isLazy;
          return next;
        };
      };
      return codeIndented.tokenize.call(this, { ...effects, attempt }, ok, nok);
    },
  };
  return { flowInitial: { [-2]: construct, [-1]: construct, 32: construct } };
}
