// @vitest-environment node
import type { Nodes } from "mdast";
import { describe, expect, it } from "vitest";
import { isFormula } from "./math/is-formula.ts";
import { createMarkdownDocument } from "./markdown-document.ts";
import { createMathSyntax } from "./math/math-syntax.ts";
import { cut, randomNumbers } from "./scripted-text.ts";
import { plainBlock, wholeParse } from "./whole-parse.ts";

/**
 * What a visitor sees between two deltas. Later text may change the *open block*, which is the last one, and in it only the
 * *open construct*: what has begun and is not closed. That is all:
 *
 * - A last line of markers alone, a reference's definition, a formula and a comment are not shown before they are whole.
 * - A line that begins with `|` is a table from its first character on; without a line of dashes it becomes a paragraph.
 * - A paragraph becomes a heading by the line under it, and a table by the line of dashes.
 * - A list becomes loose by a blank line.
 * - The last word may grow. The brackets of a reference go when the line of its definition is whole.
 */
const answers: Readonly<Record<string, string>> = {
  lists:
    "Шаги:\n\n1. Замесить **крепкое** тесто.\n2. Дать постоять:\n   - час в тепле,\n   - ночь в *холоде*.\n\n   Это важно.\n3. Печь.\n\n- [x] мука\n- [ ] соль\n\nКонец.\n",
  tables:
    "Вот цены:\n\n| Город | Цена |\n| :-- | --: |\n| **Москва** | 18 |\n| [Казань](https://kazan.example/) | `20` |\n\nИ ещё:\n\nа | б\n--|--\n1 | 2\n\nвсё\n",
  fences:
    "Так:\n\n```js\nconst a = 1;\n\nconst b = `x`;\n```\n\nИ так:\n~~~\n```\n~~~\nПосле.\n\n    отступ\n\nКонец с ``кодом ` `` и `ещё`.\n",
  formulas:
    "Площадь $x^2$ и \\(y_1 + 2\\), цена $5 и $10.\n\n$$\nE = mc^2\n$$\n\nИтог: \\[ a = b \\] да.\n\n\\[\na + b\n\\]\n\nКонец.\n",
  "footnotes and citations":
    "По данным[^1] и ещё[^два], см. [1] и [2, 3].\n\n[^1]: Первая *сноска*.\n[^два]: Вторая,\n    длинная.\n\nДальше[^1].\n",
  quotes: "> Слова **чужие**\n> и ещё\n>\n> - пункт\n>   > глубже\n\nСвои.\n",
  nested:
    "- пункт\n\n  ```sh\n  ls -l\n  ```\n\n  | а | б |\n  |---|---|\n  | 1 | 2 |\n- второй\n  > цитата\n  1. раз\n  2. два\n\nКонец.\n",
  "reference links":
    'См. [руководство][docs], [заметки] и ![схема][pic].\n\nЕщё [раз][docs].\n\n[docs]: https://example.com/docs "Название"\n[заметки]: https://example.com/notes\n[pic]: https://example.com/a.png\n\nПосле [руководства][docs].\n',
  html: "H<sub>2</sub>O и x<sup>2</sup><br>новая строка, <kbd>Ctrl</kbd>.\n\n<!-- скрыто -->\n\nВидно <!-- и это --> дальше.\n\n| а |\n|---|\n| 1<br>2 |\n\n<div>\nтекст\n</div>\n\nКонец.\n",
  emphasis:
    "**Жирный *и курсив*** дальше, ~~зачёркнуто~~, snake_case_name, 5 * 3 * 2, 10~12 и `код`. [Ссылка *с курсивом*](https://example.com/a_b) и <https://example.com/>, https://example.com/путь.\n\nЗаголовок\n=========\n\n## Второй **жирный**\n\n---\n\nКонец\\*.\n",
};

describe.each(Object.entries(answers))("an answer with %s, between any two deltas,", (_, text) => {
  const snapshots = Array.from(text, (_char, index) => snapshotOf([text.slice(0, index + 1)]));

  it("has the blocks of a whole parse of what has come", () => {
    for (const [index, shown] of snapshots.entries()) {
      const prefix = text.slice(0, index + 1);
      expect({ prefix, types: shown.map(typeOf) }).toEqual({
        prefix,
        types: expect.toSatisfy(isTypesOf(prefix)) as unknown,
      });
    }
  });

  it("looks the same, however it was cut", () => {
    const random = randomNumbers(7);
    const documents = [1, 3, 20, 20, 20].map((longest) => ({ longest, document: createDocument() }));
    for (const { longest, document } of documents) {
      let length = 0;
      for (const piece of cut(text, longest, random)) {
        document.append(piece);
        length += piece.length;
        expect({ length, blocks: visible(document.snapshot().blocks.flat().map(plainBlock)) }).toEqual({
          length,
          blocks: snapshots[length - 1],
        });
      }
    }
  });

  it("never takes back what it has shown", () => {
    for (const [index, after] of snapshots.entries()) {
      const before = snapshots[index - 1] ?? [];
      const prefix = text.slice(0, index + 1);
      expect({ prefix, blocks: after.length }).toEqual({ prefix, blocks: Math.max(before.length, after.length) });
      for (const [at, block] of before.entries()) {
        const shown = lettersOf(block);
        const stays = at === before.length - 1 ? withoutLastWord(shown) : shown;
        expect({ prefix, at, shown: lettersOf(after[at]).slice(0, stays.length) }).toEqual({
          prefix,
          at,
          shown: stays,
        });
      }
      const closed = before.slice(0, -1).map(typeOf);
      expect({ prefix, types: after.slice(0, closed.length).map(typeOf) }).toEqual({ prefix, types: closed });
    }
  });
});

/** Whether these are the types of a whole parse of the text so far, except for what the open block may have or be instead. */
function isTypesOf(prefix: string): (types: readonly string[]) => boolean {
  const lastLine = /[^\n]*$/.exec(prefix)?.[0] ?? "";
  const isOfMarkers = /^(?:[-+*>#=_~`|:<![\]().\d\sxX$\\]*|\[[^\]]*\]?|\[[^\]]*\]:.*)$/.test(lastLine.trimStart());
  const isTableHead = /(?:^|\n\n)\|[^\n]*\n?[ |:-]*$/.test(prefix);
  const isOpen = /(?:^|\n\n)(?:<!--|<[a-z]*$|\$|\\)(?:(?!-->|\n\n)[^])*$/.test(prefix);
  const whole = typesOf(prefix);
  const closed = whole.slice(0, -1);
  const allowed = [whole];
  if (isOfMarkers) allowed.push(typesOf(prefix.slice(0, prefix.length - lastLine.length)));
  if (isTableHead) allowed.push([...closed, "table"]);
  if (isOpen) allowed.push(closed);
  return (types) => allowed.some((each) => String(each) === String(types));
}

function typesOf(text: string): readonly string[] {
  return visible(wholeParse(text, math) as readonly Nodes[]).map(typeOf);
}

const math = createMathSyntax(isFormula);

function createDocument() {
  return createMarkdownDocument(math);
}

function snapshotOf(pieces: readonly string[]): readonly unknown[] {
  const document = createDocument();
  for (const piece of pieces) document.append(piece);
  return visible(document.snapshot().blocks.flat().map(plainBlock));
}

/** The blocks without definitions and comments, which show nothing. */
function visible(blocks: readonly unknown[]): readonly unknown[] {
  return blocks.filter((block) => {
    const { type, value } = block as { readonly type: string; readonly value?: string };
    return !/definition/i.test(type) && !(type === "html" && /^<!--[^]*-->\s*$/.test(value ?? ""));
  });
}

function typeOf(block: unknown): string {
  return (block as Nodes).type;
}

const styles: Readonly<Record<string, string>> = { strong: "*", emphasis: "/", delete: "~", inlineCode: "`" };

/** The letters of a block, each with its style, such as `б*` for a bold one, and a space after each word. */
function lettersOf(shown: unknown, style = ""): readonly string[] {
  const node = (shown ?? {}) as Record<"type" | "value" | "code" | "alt", string | undefined> &
    Record<"children" | "items" | "rows", readonly unknown[] | undefined>;
  const own = style + (styles[node.type ?? ""] ?? "");
  // The label of a reference is hidden once the reference is a link.
  const text = (node.value ?? node.code ?? node.alt ?? "").replaceAll(/(?<=\])\[[^\]]*\]/g, "");
  const inner = (node.children ?? node.items ?? node.rows ?? []).flatMap((child) => lettersOf(child, own));
  const letters = Array.from(text).flatMap((char) => (/[\p{L}\p{N}]/u.test(char) ? [char + own] : [" "]));
  const isInline = /^(?:text|strong|emphasis|delete|link|image|inlineCode)$/.test(node.type ?? "");
  return [...letters, ...inner, ...(isInline ? [] : [" "])].filter(
    (char, at, all) => char !== " " || all[at - 1] !== " ",
  );
}

function withoutLastWord(letters: readonly string[]): readonly string[] {
  const end = letters.at(-1) === " " ? letters.length - 1 : letters.length;
  return letters.slice(0, Math.max(0, letters.lastIndexOf(" ", end - 1)));
}
