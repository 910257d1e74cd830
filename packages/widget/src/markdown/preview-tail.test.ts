// @vitest-environment node
import type { RootContent } from "mdast";
import { expect, it, test } from "vitest";
import { isFormula } from "./math/is-formula.ts";
import { createMarkdownDocument } from "./markdown-document.ts";
import { createMathSyntax } from "./math/math-syntax.ts";

/** An unfinished text, and how it is shown: each node as its type and its content in brackets. */
const shown: readonly (readonly [string, string])[] = [
  ["**bo", "p(strong(bo))"],
  ["a **bold", "p(a strong(bold))"],
  ["a **bold*", "p(a strong(bold))"],
  ["a **bold**", "p(a strong(bold))"],
  ["a **bold *both", "p(a strong(bold emphasis(both)))"],
  ["a **", "p(a)"],
  ["a *", "p(a)"],
  ["***all", "p(emphasis(strong(all)))"],
  ["~~gon", "p(delete(gon))"],
  ["**注意：", "p(strong(注意：))"],
  ["**注意：**", "p(strong(注意：))"],
  ["**注意：**请", "p(strong(注意：)请)"],
  ["请**", "p(请)"],
  ["请**「注", "p(请strong(「注))"],
  ["请**“注意”*", "p(请strong(“注意”))"],
  ["~~删除：~~请", "p(delete(删除：)请)"],
  ["请_注", "p(请_注)"],
  ["snake_case_na", "p(snake_case_na)"],
  ["5*3", "p(5*3)"],
  ["price*", "p(price*)"],
  ["2 * 3", "p(2 * 3)"],
  ["call `fo", "p(call code(fo))"],
  ["call ``a `b", "p(call code(a `b))"],
  ["call `", "p(call)"],
  ["see [the do", "p(see link→pending:(the do))"],
  ["see [the docs]", "p(see link→pending:(the docs))"],
  ["see [the docs](htt", "p(see link→pending:(the docs))"],
  ["see [the docs](https://a.b/c) now", "p(see link→https://a.b/c(the docs) now)"],
  ["see **[the docs](htt", "p(see strong(link→pending:(the docs)))"],
  ["see [docs][re", "p(see link→pending:(docs))"],
  ["look ![a ca", "p(look)"],
  ["look ![a cat](htt", "p(look)"],
  ["word[^1", "p(word)"],
  ["mail <https://exa", "p(mail link→https://exa(https://exa))"],
  ["a <", "p(a)"],
  ["a\\", "p(a)"],
  ["a **b\\\n", "p(a strong(b))"],
  ["see [the\\\n", "p(see link→pending:(the))"],
  ["para\n-", "p(para)"],
  ["para\n==", "p(para)"],
  ["para\n\n#", "p(para)"],
  ["para\n\n1", "p(para)"],
  ["para\n\n1.", "p(para)"],
  ["- one\n- ", "list(item(p(one)))"],
  ["- one\n- [", "list(item(p(one)))"],
  ["- one **two", "list(item(p(one strong(two))))"],
  ["> quote *wor", "quote(p(quote emphasis(wor)))"],
  ["# head **wor", "h(head strong(wor))"],
  ["| a", "table(row(cell(a)))"],
  ["| a | b |\n", "table(row(cell(a)cell(b)))"],
  ["| a | b |\n|--", "table(row(cell(a)cell(b)))"],
  ["| a | **b", "table(row(cell(a)cell(strong(b))))"],
  ["| a |\n|---|\n| x **y", "table(row(cell(a))row(cell(x strong(y))))"],
  ["```js\na\n``", "code(a)"],
  ["```js\na\nb **c", "code(a\nb **c)"],
  ["- ```\n  **a", "list(item(code(**a)))"],
  ["площадь \\(x^2", "p(площадь)"],
  ["площадь \\(x_1 + y_1\\) и *да", "p(площадь math(\\(x_1 + y_1\\)) и emphasis(да))"],
  ["**площадь $$x", "p(strong(площадь))"],
  ["цена $5 и **ещё", "p(цена $5 и strong(ещё))"],
  ["итог\n\n$$\nx", "p(итог)"],
  ["\\[\nx\n\\]", "math(\\[\nx\n\\])"],
  ["цена $", "p(цена)"],
  ["цена $x^2", "p(цена)"],
  ["цена $5 и $10.\nи", "p(цена $5 и $10.\nи)"],
  ["цена $HOME и", "p(цена $HOME и)"],
  ["итог\n\n$", "p(итог)"],
  ["итог\n\n\\[", "p(итог)"],
  ["**Жирный *и курсив**", "p(strong(Жирный emphasis(и курсив)))"],
  ["| a | b |\n| :", "table(row(cell(a)cell(b)))"],
  ["| a | b |\n| --- | :-", "table(row(cell(a)cell(b)))"],
  ["см. [1", "p(см.)"],
  ["см. [1]", "p(см.)"],
  ["см. [2, 3", "p(см.)"],
  ["см. [1] и", "p(см. [1] и)"],
  ["см. [1](htt", "p(см.)"],
  ["итог\n\n[docs", "p(итог)"],
  ["итог\n\n[docs]", "p(итог)"],
  ["итог\n\n[docs]: https://a.b", "p(итог)"],
  ['итог\n\n[docs]: <https://a.b> "Назв', "p(итог)"],
  ["итог\n\n[docs](htt", "p(итог)p(link→pending:(docs))"],
  ["итог\n\n[Важно]: не забудьте", "p(итог)p([Важно]: не забудьте)"],
  ["итог\n\n[^1]", "p(итог)"],
  ["a <b", "p(a)"],
  ["a </su", "p(a)"],
  ["a <!-- b", "p(a)"],
  ["a <!-- b --> c", "p(a html(<!-- b -->) c)"],
  ["a\n\n<!-- b\n", "p(a)"],
  ["a < b", "p(a < b)"],
  ["H<sub>2", "p(Hhtml(<sub>)2html(</sub>))"],
  ["x<sup>**2", "p(xhtml(<sup>)strong(2)html(</sup>))"],
  ["x<sup>2</su", "p(xhtml(<sup>)2html(</sup>))"],
  ["x<sup>2</sup> и", "p(xhtml(<sup>)2html(</sup>) и)"],
  ["   ", ""],
  ["-", ""],
];

test.each(shown)("%j is shown as %s", (text, expected) => {
  const document = createMarkdownDocument(createMathSyntax(isFormula));
  for (const char of text.split("")) {
    document.append(char);
    document.snapshot();
  }
  expect(document.snapshot().blocks.flat().map(describeBlock).join("")).toBe(expected);
});

it("shows open markers as they were written once the text has ended", () => {
  const document = createMarkdownDocument();
  document.append("a **bold [link](htt");
  document.snapshot();
  document.finish();
  expect(document.snapshot().blocks.flat().map(describeBlock).join("")).toBe("p(a **bold [link](htt)");
});

it("shows open markers of a paragraph that has ended as they were written", () => {
  const document = createMarkdownDocument();
  document.append("a **bold\n\n");
  expect(document.snapshot().blocks.flat().map(describeBlock).join("")).toBe("p(a **bold)");
});

function describeBlock(
  block: ReturnType<ReturnType<typeof createMarkdownDocument>["snapshot"]>["blocks"][number][number],
): string {
  switch (block.type) {
    case "code":
      return `code(${block.pieces.join("")})`;
    case "list":
      return `list(${block.items.flat().map(describeNode).join("")})`;
    case "table":
      return `table(${[block.head, ...block.rows.flat()].map((row) => row && describeNode(row)).join("")})`;
    default:
      return describeNode(block.node);
  }
}

const names: Readonly<Record<string, string>> = {
  paragraph: "p",
  heading: "h",
  listItem: "item",
  tableRow: "row",
  tableCell: "cell",
  blockquote: "quote",
  inlineCode: "code",
};

function describeNode(node: RootContent): string {
  if (node.type === "text") return node.value;
  const name = names[node.type] ?? node.type;
  if ("value" in node) return `${name}(${node.value})`;
  const content = "children" in node ? node.children.map(describeNode).join("") : "";
  return node.type === "link" ? `${name}→${node.url}(${content})` : `${name}(${content})`;
}
