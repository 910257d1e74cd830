import { attention } from "micromark-core-commonmark";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import type { Code, Construct, Extension } from "micromark-util-types";
import { endsInCjk } from "./cjk.ts";

/**
 * CommonMark tells an opening `**` from a closing one by the spaces and punctuation around it. Chinese, Japanese and Korean
 * put no spaces between words, so `**注意：**请` would show its asterisks: beside such a character a marker opens before and
 * closes after whatever is no white space. `_` stays as it is, since it marks nothing within a word.
 */
export function cjkEmphasis(): Extension {
  return {
    text: {
      [asterisk]: besideCjk(attention),
      [tilde]: [gfmStrikethrough().text?.[tilde] ?? []].flat().map(besideCjk),
    },
  };
}

const asterisk = "*".charCodeAt(0);
const tilde = "~".charCodeAt(0);

function besideCjk(construct: Construct): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const { previous } = this;
      const end = this.now();
      // Of a character outside the basic plane, the last code is one half.
      const start = { ...end, _bufferIndex: end._bufferIndex - 2 };
      const before = start._bufferIndex < 0 ? charOf(previous) : this.sliceSerialize({ start, end });
      const decide = (code: Code) => {
        const run = this.events.at(-1)?.[1];
        const after = charOf(code);
        if (run && (endsInCjk(before) || endsInCjk(after))) {
          run._open ||= /^\S/.test(after);
          run._close ||= /\S$/.test(before);
        }
        return ok(code);
      };
      return construct.tokenize.call(this, effects, decide, nok);
    },
  };
}

/** Line endings and the text's end are none. */
function charOf(code: Code): string {
  return code === null || code < 0 ? "" : String.fromCharCode(code);
}
