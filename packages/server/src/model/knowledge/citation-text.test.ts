import { describe, expect, it } from "vitest";
import { CitationText } from "./citation-text.ts";
import { seeded } from "../../storage/contract/seeded.contract.ts";

/** Passages 1 to 9 were found. */
function written(deltas: readonly string[]): { readonly text: string; readonly cited: readonly number[] } {
  const cited: number[] = [];
  const block = new CitationText((n) => {
    if (n < 1 || n > 9) return false;
    cited.push(n);
    return true;
  });
  const text = deltas.map((delta) => block.push(delta)).join("") + block.flush();
  return { text, cited };
}

/** Each text with its normalized form; without the second element it stays unchanged. */
const cases: readonly (readonly [text: string, becomes?: string])[] = [
  ["Везём два дня [1]."],
  ["Два дня[1], в Уфу три [1][2] или [1, 2]"],
  ["Два дня [1,2].", "Два дня [1, 2]."],
  ["Два дня [1，2].", "Два дня [1, 2]."],
  ["Два дня [2、1；3].", "Два дня [2, 1, 3]."],
  ["Два дня [1, 1].", "Два дня [1]."],
  ["Два дня【1】【2】.", "Два дня[1][2]."],
  ["Два дня【1†источник】.", "Два дня[1]."],
  ["Два дня ［3］.", "Два дня [3]."],
  ["Два дня [^1].", "Два дня [1]."],
  ["Два дня [^1, ^2].", "Два дня [1, 2]."],
  ["Два дня [[1]](https://shop.example/a_(b)) и три", "Два дня [1] и три"],
  ["Два дня [[1]].", "Два дня [1]."],
  ["Два дня [[97]](https://shop.example).", "Два дня."],
  ["Два дня [1, 97].", "Два дня [1]."],
  ["Два дня [97].", "Два дня."],
  ["Два дня [97] и три", "Два дня и три"],
  ["Два дня [97]и три", "Два дня и три"],
  ["Два дня [1][97] [98]!", "Два дня [1]!"],
  ["Элемент [0] и [01], год [2024] и [1, 2024] остаются"],
  ["Два дня [999].", "Два дня."],
  ["Ура![1] Да ![2]"],
  ["[x] и [ ] и [а, 1] и [] и [1-2]"],
  ["- [x] сделано [1]\n- [ ] нет [97]\n1. [2] раз", "- [x] сделано [1]\n- [ ] нет\n1. [2] раз"],
  ["Код `a[97]` и ``b[`98`]`` и [97]`c`", "Код `a[97]` и ``b[`98`]`` и`c`"],
  ["Один ` и [97] без пары", "Один ` и без пары"],
  ["Один ` и [97]\n\nновый абзац ` тут", "Один ` и\n\nновый абзац ` тут"],
  ["- раз ` [97]\n- два ` [1]", "- раз `\n- два ` [1]"],
  ["```js\na[97] 【98】\n```\nи [97]", "```js\na[97] 【98】\n```\nи"],
  ["~~~\n[97]\n``` \n[98]\n~~~~\n[97] да", "~~~\n[97]\n``` \n[98]\n~~~~\n да"],
  ["```раз``` и [97]", "```раз``` и"],
  ["1. шаг\n   ```\n   a[97]\n   ```\n   и [97].", "1. шаг\n   ```\n   a[97]\n   ```\n   и."],
  ["> ```\n> a[97]\n\nи [97].", "> ```\n> a[97]\n\nи."],
  ["Абзац\n    продолжение [97].\n\n    код[97]\n", "Абзац\n    продолжение.\n\n    код[97]\n"],
  ["\tкод[97]\n\nа [97].", "\tкод[97]\n\nа."],
  ["- пункт\n\n    абзац [97].\n\n      код[98]\n", "- пункт\n\n    абзац.\n\n      код[98]\n"],
  ["- -     код[97]\n"],
  ["См. [доставку [97]](https://shop.example/[98]) и [97].", "См. [доставку [97]](https://shop.example/[98]) и."],
  [
    '[1](https://shop.example) и ![97](a.png "б") и [97](см. ниже)',
    '[1](https://shop.example) и ![97](a.png "б") и(см. ниже)',
  ],
  ["[доставка][97] и [97].", "[доставка][97] и."],
  [
    "Адрес https://shop.example/?a[97]=1 и www.a.example/[98]/ и <https://a.example/[99]> [97].",
    "Адрес https://shop.example/?a[97]=1 и www.a.example/[98]/ и <https://a.example/[99]>.",
  ],
  ["Адрес https://shop.example/a【1】 и ahttp [97]!", "Адрес https://shop.example/a [1] и ahttp!"],
  [
    'Текст [1].\n\n[97]: https://shop.example "а"\n[98]: <b c>\n',
    'Текст [1].\n\n[97]: https://shop.example "а"\n[98]: <b c>\n',
  ],
  ["Абзац\n[97]: https://shop.example\n", "Абзац\n: https://shop.example\n"],
  [
    "(см. https://shop.example/a)[1][97], www.shop.example【2】.",
    "(см. https://shop.example/a) [1], www.shop.example [2].",
  ],
  [String.raw`\【1】`, String.raw`\[1]`],
  ["**\n    [1]"],
  ["а\n\t* [97] б\n    ```\n[97] в", "а\n\t* б\n    ```\n в"],
  ["- а\n\t* [97] б", "- а\n\t*  б"],
  ["x][97]", "x]"],
  ["[97]: это не определение [1]", ": это не определение [1]"],
  ["[^97]: сноска [97].", "[^97]: сноска."],
  ["# Заголовок [97]\n[98]: /a\n", "# Заголовок\n[98]: /a\n"],
  [String.raw`\[97\] и \\[97] и \`[97]`, String.raw`\[97\] и \\ и \``],
  ["| a [97] | b [1] |\n|---|---|\n| `[97]` | [2,97] |", "| a | b [1] |\n|---|---|\n| `[97]` | [2] |"],
  ["**[1]** и *(2 [97])*", "**[1]** и *(2)*"],
  ["Незакрытая [1", "Незакрытая [1"],
  ["Незакрытая [ссылка](https://a.example/[97]", "Незакрытая [ссылка](https://a.example/"],
  [`[${"а".repeat(2000)} [97].`, `[${"а".repeat(2000)}.`],
  ["", ""],
];

describe("the text of citations", () => {
  it.each(cases.map(([text, becomes = text]) => [text, becomes] as const))("of %j", (text, becomes) => {
    expect(written([text]).text).toBe(becomes);
  });

  it("is the same for every cut", () => {
    for (const [text, becomes = text] of cases) {
      if (text.length > 500) continue;
      for (let cut = 1; cut < text.length; cut += 1) {
        expect([cut, written([text.slice(0, cut), text.slice(cut)]).text]).toEqual([cut, becomes]);
      }
      expect(written(text.split("")).text).toBe(becomes);
    }
  });

  it("is the same for random texts at random cuts, and cites only found passages", () => {
    const random = seeded(7);
    const pieces = cases.map(([text]) => text).filter((text) => text.length < 200);
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
        const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
        const from = Math.floor(random() * piece.length);
        return (
          piece.slice(from, from + Math.floor(random() * 30)) +
          (["", "\n", "\n\n", " "][Math.floor(random() * 4)] ?? "")
        );
      }).join("");
      const whole = written([text]);
      const deltas = text.split(/(?<=.)(?=.)/s).reduce<string[]>((all, char) => {
        if (all.length === 0 || random() < 0.4) all.push(char);
        else all.push(`${all.pop()}${char}`);
        return all;
      }, []);
      expect({ deltas, ...written(deltas) }).toEqual({ deltas, ...whole });
      expect(whole.cited.every((n) => whole.text.includes(String(n)))).toBe(true);
    }
  });

  it("passes plain text on at once", () => {
    const block = new CitationText(() => true);
    expect(["Везём ", "два дня", " [1", "] по", " `го", "роду"].map((delta) => block.push(delta))).toEqual([
      "Везём",
      " два дня",
      "",
      " [1] по",
      " ",
      "",
    ]);
    expect(block.flush()).toBe("`городу");
  });
});
