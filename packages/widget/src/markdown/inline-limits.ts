import type { Code, Construct, FullNormalizedExtension, State, TokenizeContext } from "micromark-util-types";

/** The maximum number of markers of each kind in a paragraph, heading or cell. Further ones are plain characters. */
const markerLimit = 160;
/** The maximum number of markers of each kind whose other half was searched for in vain, up to the end of the paragraph. */
const vainLimit = 10;

const openingParenthesis = 40;

/** The characters of `!$&*<[\]_`, the backtick and the tilde. */
const markers = [33, 36, 38, 42, 60, 91, 92, 93, 95, 96, 126];

/**
 * Limits the time that micromark takes for a paragraph. For each closing marker it walks back over all earlier markers, and for
 * some opening ones it reads to the end of the text: both are quadratic. Ordinary text stays far below the limits.
 */
export function withInlineLimits(constructs: FullNormalizedExtension): FullNormalizedExtension {
  const text = { ...constructs.text };
  /** The number of each marker in a paragraph, and, under negative keys, the number of failed searches. */
  const tallies = new WeakMap<TokenizeContext, Map<Code, number>>();
  const tallyOf = (paragraph: TokenizeContext) => {
    const tally = tallies.get(paragraph) ?? new Map<Code, number>();
    tallies.set(paragraph, tally);
    return tally;
  };

  const counter: Construct = {
    tokenize(effects, ok, nok) {
      const tally = tallyOf(this);
      const exceeds = (code: Code) => (tally.get(code) ?? 0) > markerLimit;
      const run = (code: Code): State | undefined => {
        if (code !== null && (!text[code] || exceeds(code))) {
          effects.consume(code);
          return run;
        }
        effects.exit("data");
        return ok(code);
      };
      return (code) => {
        tally.set(code, (tally.get(code) ?? 0) + 1);
        if (!exceeds(code)) return nok(code);
        effects.enter("data");
        return run(code);
      };
    },
  };

  const limited = (construct: Construct, marker: number): Construct => ({
    ...construct,
    tokenize(effects, ok, nok) {
      const tally = tallyOf(this);
      const vain = tally.get(-marker) ?? 0;
      if (vain > vainLimit) return nok;
      return construct.tokenize.call(this, effects, ok, (code) => {
        // The search reached the end of the text, or tried what follows a link's label as its address.
        if (code === null || code === openingParenthesis) tally.set(-marker, vain + 1);
        return nok(code);
      });
    },
  });

  for (const marker of markers) {
    const list = [text[marker] ?? []].flat();
    // A marker is counted at the first place where a run of it may begin: not at the second backtick of a run.
    text[marker] = [{ ...counter, previous: list[0]?.previous }, ...list.map((each) => limited(each, marker))];
  }
  return { ...constructs, text };
}
