import { describe, expect, it } from "vitest";
import { isFormula, mayHoldFormula } from "./is-formula.ts";
import { createMathSyntax } from "./math-syntax.ts";
import { createParser } from "../parse-markdown.ts";

const labels = { isLinkDefined: () => false, isFootnoteDefined: () => false };
const parse = createParser(labels, createMathSyntax(isFormula));

/** The formulas in a text, in order. Those of blocks begin with `block `. */
function formulasIn(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (
    node: { readonly type: string; readonly value?: string; readonly children?: readonly never[] },
    depth: number,
  ) => {
    if (node.type === "math") found.push(depth === 0 ? `block ${node.value}` : String(node.value));
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  for (const { node } of parse(source)) visit(node as never, 0);
  return found;
}

const table: readonly (readonly [source: string, formulas: readonly string[]])[] = [
  // The four kinds of delimiters.
  ["Площадь $x^2$ и \\(y_1\\).", ["$x^2$", "\\(y_1\\)"]],
  ["Вот $$a+b$$ в строке", ["$$a+b$$"]],
  ["Вот \\[a+b\\] в строке", ["\\[a+b\\]"]],
  ["$$\nE = mc^2\n$$\n\nИ далее", ["block $$\nE = mc^2\n$$"]],
  ["$$ E = mc^2 $$", ["block $$ E = mc^2 $$"]],
  ["\\[\na\n- b\n+ c\n\\].", ["block \\[\na\n- b\n+ c\n\\]."]],
  ["Текст\n$$\na\n$$\nещё", ["block $$\na\n$$"]],
  ["> $$\n> a\n> $$\n> ещё", ["$$\na\n$$"]],
  ["- $x$\n- \\[\n  y\n  \\]", ["$x$", "\\[\ny\n\\]"]],
  ["| $x$ | \\(y\\) |\n|-|-|\n| $z$ | |", ["$x$", "\\(y\\)", "$z$"]],
  ["**Итог: $x$**", ["$x$"]],
  ["$a_1 * b_2$ и $c_3 * d_4$", ["$a_1 * b_2$", "$c_3 * d_4$"]],
  ["$\\text{путь} = v t$", ["$\\text{путь} = v t$"]],
  ["$5$ и $2 + 2 = 4$", ["$5$", "$2 + 2 = 4$"]],
  ["$\\$5$", ["$\\$5$"]],
  // A block that is not closed ends at a blank line, and is shown as its source.
  ["$$\na\n\nтекст", ["block $$\na"]],
  ["$$\na\n \t \nтекст", ["block $$\na"]],
  // Only its last line closes it, though dollars were in an earlier one.
  ["$$\na $$ b\n$$\nещё", ["block $$\na $$ b\n$$"]],
  // Prices, variables, code and words.
  ["$5 и $10", []],
  ["5 $ и 10 $", []],
  ["$5 и 10$", []],
  ["$5-$10, $20,000 and $30,000", []],
  ["от $5 до 10$, по 5$", []],
  ["$HOME и $PATH:$HOME/$USER", []],
  ["`$x$` и ``\\(y\\)``", []],
  ["```tex\n$$\nx\n$$\n```", []],
  ["    $$x$$", []],
  ["\\$x\\$", []],
  ["\\[ссылка\\] и \\(скобки\\)", []],
  ["$$ цена $$", []],
  ["$$$ дорого", []],
  ["US$5 and a$", []],
  ["for $one dollar and two$", []],
  // Escaped brackets and process numbers inside a line.
  ["см. \\[1\\] и \\[2\\]", []],
  ["см. \\[1, 2\\], \\[3-5\\] и \\[12.3\\]", []],
  ["здесь \\[Draft\\] и \\[Note\\]", []],
  ["символы \\[a-z\\], \\[A-Z\\] и \\[0-9\\]", []],
  ["array \\[0\\], \\[x\\] и \\[y/n\\]", []],
  ["нажмите \\[Ctrl+C\\] и \\[C++\\]", []],
  ["выражение \\[\\d+\\] и \\[\\w*\\]", []],
  ["группы \\(\\d+\\) и \\(foo|bar\\)", []],
  ["\\[1\\] Первый источник", []],
  ["| \\[1\\] |\n|-|", []],
  ["kill $$; echo $$", []],
  ["echo $$ 5 $$ и $$a$$", []],
  ["a $$; x=1; $$ b", []],
  // Formulas inside a line.
  ["да \\[x_1\\], \\[y = 2\\], \\[a^2\\]", ["\\[x_1\\]", "\\[y = 2\\]", "\\[a^2\\]"]],
  ["да \\[\\frac12\\] и $$\\pi$$", ["\\[\\frac12\\]", "$$\\pi$$"]],
  ["да \\[a - b\\], \\[2 × 3\\], \\[(a)/b<c\\]", ["\\[a - b\\]", "\\[2 × 3\\]", "\\[(a)/b<c\\]"]],
  ["да $$2+2$$, $$ x = 1 $$", ["$$2+2$$", "$$ x = 1 $$"]],
  // The same on lines of their own.
  ["\\[ x \\]", ["block \\[ x \\]"]],
  ["текст\n\\[\n1\n\\]\nтекст", ["block \\[\n1\n\\]"]],
];

describe("the syntax of formulas", () => {
  it.each(table)("%j", (source, formulas) => {
    expect(formulasIn(source)).toEqual(formulas);
  });

  it.each(table.filter(([, formulas]) => formulas.length > 0))(
    "the code for formulas is loaded for every text that has one: %j",
    (source) => expect(mayHoldFormula(source)).toBe(true),
  );

  it.each(["$5 и $10", "5 $ и 10 $", "$5 и 10$", "$HOME и $PATH:$HOME/$USER", "US$5 and a$"])(
    "and for no text of prices and names: %s",
    (source) => expect(mayHoldFormula(source)).toBe(false),
  );
});
