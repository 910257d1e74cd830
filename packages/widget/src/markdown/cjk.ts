/** Includes the high surrogates of the planes that have only CJK ideographs. */
const cjk =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\uFE10-\uFE1F\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\uD840-\uD8BF]$/u;

/** Whether a text ends with a Chinese, Japanese or Korean character: a letter, punctuation (`。「」`) or a full-width form. */
export function endsInCjk(text: string): boolean {
  return cjk.test(text);
}
