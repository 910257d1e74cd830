import { attention } from "micromark-core-commonmark";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import type { Code, Construct, Extension } from "micromark-util-types";
import { charOf } from "./char-of.ts";

/**
 * Strikethrough, and emphasis in Chinese, Japanese and Korean. CommonMark decides by the spaces and punctuation around a `**`
 * whether it opens or closes, but these languages have no spaces between words. With this extension a `*` or `~` beside a CJK
 * character can open before, and close after, any character except white space. `_` stays as in CommonMark: it does not work
 * inside words.
 *
 * @example
 * // CommonMark: "**注意：**请" → **注意：**请, with its asterisks
 * // here:       "**注意：**请" → <strong>注意：</strong>请
 * // here:       "请_注_" → 请_注_
 */
export function cjkEmphasis(): Extension {
  const strikethrough = gfmStrikethrough({ singleTilde: false });
  return {
    ...strikethrough,
    text: {
      [asterisk]: besideCjk(attention),
      [tilde]: [strikethrough.text?.[tilde] ?? []].flat().map(besideCjk),
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
      // `previous` is one UTF-16 unit. For a character outside the basic plane both units are read.
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

/** Includes the high surrogates of the planes that have only CJK ideographs. */
const cjk =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\uD840-\uD8BF]$/u;

/** Whether a text ends with a Chinese, Japanese or Korean character: a letter, punctuation (`。「」`) or a full-width form. */
export function endsInCjk(text: string): boolean {
  return cjk.test(text);
}
