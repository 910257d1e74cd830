import { describe, expect, it } from "vitest";
import { createParser } from "../../markdown/parse-markdown.ts";
import { isStatic, markupOf } from "./markup.ts";
import { patchElement } from "./patch-element.ts";

const parse = createParser({ isLinkDefined: () => false, isFootnoteDefined: () => false });

function fill(paragraph: Element, markdown: string): void {
  const node = parse(markdown)[0]?.node;
  if (node?.type !== "paragraph") throw new Error(`«${markdown}» is no paragraph.`);
  const children = markupOf(node.children).filter(isStatic);
  patchElement(paragraph, { tag: "p", attributes: {}, children });
}

describe("a paragraph", () => {
  it("becomes the text and elements of its markdown", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, "a **b *c*** ~~d~~ `e`  \nf <g>");
    expect(paragraph.innerHTML).toBe(
      'a <strong>b <em>c</em></strong> <del>d</del> <code>e</code><br>f <span class="markdown-source">&lt;g&gt;</span>',
    );
  });

  it("keeps its nodes while it grows", () => {
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

  it("only adds to a text that grows, so that a selection in it stays", () => {
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

  it("keeps no attribute of the element that was in the same place before", () => {
    const paragraph = document.createElement("p");
    fill(paragraph, '[a](https://example.com/ "b")');
    expect(paragraph.querySelector("a")?.title).toBe("example.com");
    fill(paragraph, "[a](https://example.com/c)");
    expect(paragraph.innerHTML).toBe(
      '<a class="markdown-link" href="https://example.com/c" target="_blank" rel="noopener noreferrer" aria-describedby="new-tab">a</a>',
    );
  });
});
