/** Fragments of markdown from which tests build random texts. */
export const scraps = [
  ..."a|b|foo|слово|注意|：|「|」|😀|*|**|_|__|~~|`|``|```|~~~|    |  | |\t|- |* |1. |2) |> |>|#|## |===|---|[|](|/u)|[a]|[a][b]".split(
    "|",
  ),
  ..."![a]|![i](/p.png)|[^1]|<div>|<br>|-->|<b>|www.x.ru|a@b.co|- [ ] |\\|\\*|&amp;|1|2.|<https://x.y>|!|)|:".split(
    "|",
  ),
  ..."\n/\n/\n/\n\n/\r\n/\r/\n> /\n- /\n  - /\n    /\n1. /  \n/\\\n/|/| a | b |\n/|-|-|\n/| - | :-: |\n/|x|y|\n".split(
    "/",
  ),
  ..."[a]: u\n/[a]: u 't'\n/[b]: <x y>\n/'t'/'\n/[^1]: note\n/[^n]: long\n\n    more\n/    code\n/```js\n/```\n/~~~\n".split(
    "/",
  ),
  "<!-- ",
  "\uFEFF",
  "\0",
];

/** Fragments of formulas. */
export const formulaScraps = [
  ..."$|$$|\\(|\\)|\\[|\\]|x|x^2|5| |\\frac{a}{b}|слово|\\$|.|`|*|_|- |+ | = |#".split("|"),
  ..."\n/\n/\n/\n\n/\n> /\n- /\n  /\n$$\n/\n\\[\n/\n\\]\n/> $$\n/- $$\n".split("/"),
];

/** Splits a text into pieces of 1 to `longest` characters. */
export function cut(text: string, longest: number, random: () => number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const length = 1 + Math.floor(random() * longest);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

export function pick<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Pseudo-random numbers between 0 and 1, the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
