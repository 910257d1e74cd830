// @vitest-environment node
import { expect, it } from "vitest";
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
