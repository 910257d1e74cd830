// @vitest-environment node
import { expect, it, test } from "vitest";
import { createParser } from "./parse-markdown.ts";

it("returns plain paragraphs for text at which the grammar throws", () => {
  const parse = createParser({
    isLinkDefined: () => {
      throw new Error("no");
    },
    isFootnoteDefined: () => false,
  });
  expect(parse("# [a]\n\nb").map(({ node, start }) => [node, start.line])).toEqual([
    [{ type: "paragraph", children: [{ type: "text", value: "# [a]" }] }, 1],
    [{ type: "paragraph", children: [{ type: "text", value: "b" }] }, 3],
  ]);
});

test.each([
  "от 5~10 до 20~30 минут",
  "0.3~8mm и 0.3~4.5mm",
  "9:00~18:00 и 10~12",
  "H~2~O",
  "约5~10元，或20~30元",
  "请~注意~好",
])("one tilde strikes nothing through: %s", (text) => {
  const parse = createParser({ isLinkDefined: () => false, isFootnoteDefined: () => false });
  expect(parse(text).map(({ node }) => "children" in node && node.children)).toEqual([
    [expect.objectContaining({ type: "text", value: text })],
  ]);
});

test.each(["100. a\n\n    b\n    c\n", "3.\n\n    b\n    c\n", "-\n\n\n    b\n    c\n_\n", "> - a\n\n    b\n    c\n"])(
  "indented code after a list is one block: %j",
  (text) => {
    const parse = createParser({ isLinkDefined: () => false, isFootnoteDefined: () => false });
    expect(parse(text).flatMap(({ node }) => (node.type === "code" ? [node.value] : []))).toEqual(["b\nc"]);
  },
);
