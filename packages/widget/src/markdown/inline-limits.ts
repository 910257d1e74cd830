import type { Code, Extension, State, TokenizeContext, Tokenizer } from "micromark-util-types";

/** Markers of each kind in a paragraph, heading or cell. Those beyond are plain characters. */
const limit = 160;

/**
 * Limits the time that micromark takes for a paragraph. For each closing marker it walks back over all markers before it,
 * which is quadratic. Text that is meant to be read stays far below the limit.
 */
export function inlineLimits(): Extension {
  const counts = new WeakMap<TokenizeContext, Map<Code, number>>();
  const tokenize: Tokenizer = function countMarker(effects, ok, nok) {
    const ofContext = counts.get(this) ?? new Map<Code, number>();
    counts.set(this, ofContext);
    return (code) => {
      const count = (ofContext.get(code) ?? 0) + 1;
      ofContext.set(code, count);
      // An escape takes less time. A `<!--` is searched for its end as far as the text goes.
      if (count <= (code === backslash ? 400 : code === lessThan ? 35 : limit)) return nok(code);
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
  const text = Object.fromEntries(Array.from("*_~[]!<\\", (marker) => [marker.charCodeAt(0), { tokenize }]));
  return { text: { ...text, [backtick]: { tokenize, previous } } };
}

const backslash = 92;
const lessThan = 60;
const backtick = 96;

/** Code begins only at the first backtick of a run. Without this rule the construct would be tried at the second one too. */
function previous(this: TokenizeContext, code: Code): boolean {
  return code !== backtick || this.events.at(-1)?.[1].type === "characterEscape";
}
