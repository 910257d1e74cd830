import { describe, expect, it } from "vitest";
import { createParser } from "../../markdown/parse-markdown.ts";
import { fillElement } from "./fill-words.ts";
import { isPlain, wordsOf } from "./words.ts";

const parse = createParser({ isLinkDefined: () => false, isFootnoteDefined: () => false });

function fill(paragraph: Element, markdown: string): void {
  const node = parse(markdown)[0]?.node;
  if (node?.type !== "paragraph") throw new Error(`«${markdown}» is no paragraph.`);
  const words = wordsOf(node.children).filter(isPlain);
  fillElement(paragraph, { tag: "p", attributes: {}, words });
}

describe("a line", () => {
  it("is its words and their marks", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, "a **b *c*** ~~d~~ `e`  \nf <g>");
    expect(paragraph.innerHTML).toBe(
      'a <strong>b <em>c</em></strong> <del>d</del> <code>e</code><br>f <span class="markdown-source">&lt;g&gt;</span>',
    );
  });

  it("grows in the nodes that it has", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, "a **b** c");
    const before = [...paragraph.childNodes];
    fill(paragraph, "a **b** cd `e` f");
    expect([...paragraph.childNodes].slice(0, 3)).toEqual(before);
    expect(paragraph.innerHTML).toBe("a <strong>b</strong> cd <code>e</code> f");
    fill(paragraph, "a");
    expect(paragraph.innerHTML).toBe("a");
    expect(paragraph.firstChild).toBe(before[0]);
  });

  it("adds to a text that grows, so that a selection in it stays", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, "a");
    const text = paragraph.firstChild as Text;
    const added: string[] = [];
    text.replaceData = (offset, _, data) => {
      added.push(`${offset} ${data}`);
      Text.prototype.replaceData.call(text, offset, text.length, data);
    };
    for (const markdown of ["ab c", "ab c", "d"]) fill(paragraph, markdown);
    expect(added).toEqual(["1 b c", "0 d"]);
    expect(paragraph.innerHTML).toBe("d");
  });

  it("has no attribute of what stood in its place before", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, '[a](https://example.com/ "b")');
    expect(paragraph.querySelector("a")?.title).toBe("b");
    fill(paragraph, "[a](https://example.com/c)");
    expect(paragraph.innerHTML).toBe(
      '<a class="markdown-link" href="https://example.com/c" target="_blank" rel="noopener noreferrer">a</a>',
    );
  });
});
