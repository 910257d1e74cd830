import type { Code, Construct, Extension, State, TokenizeContext, Tokenizer } from "micromark-util-types";

/** Markers that a paragraph, heading or cell may have of each kind; those beyond are plain characters. */
const limit = 300;

/**
 * Micromark walks back over a paragraph's markers for each marker that closes something, which is quadratic. No answer
 * meant to be read comes near the limit; one made to freeze the page stops there.
 */
export function inlineLimits(): Extension {
  const counts = new WeakMap<TokenizeContext, Map<Code, number>>();
  const tokenize: Tokenizer = function countMarker(effects, ok, nok) {
    const ofContext = counts.get(this) ?? new Map<Code, number>();
    counts.set(this, ofContext);
    return (code) => {
      const count = (ofContext.get(code) ?? 0) + 1;
      ofContext.set(code, count);
      if (count <= limit) return nok(code);
      effects.enter("data");
      return run(code);

      function run(next: Code): State | undefined {
        if (next === code) {
          effects.consume(next);
          return run;
        }
        effects.exit("data");
        return ok(next);
      }
    };
  };
  const construct: Construct = { name: "inlineLimit", tokenize };
  const codes = ["*", "_", "~", "[", "]", "!", "<"].map((marker) => marker.charCodeAt(0));
  return {
    text: { ...Object.fromEntries(codes.map((code) => [code, construct])), [backtick]: { ...construct, previous } },
  };
}

const backtick = "`".charCodeAt(0);

/** Code begins at the first of a run of backticks and nowhere else: without this, the second would be tried too. */
function previous(this: TokenizeContext, code: Code): boolean {
  return code !== backtick || this.events.at(-1)?.[1].type === "characterEscape";
}
