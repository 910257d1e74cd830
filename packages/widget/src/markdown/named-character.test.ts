import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it, vi } from "vitest";
import { decodeNamedCharacterReference } from "./named-character.ts";

const names =
  "amp lt gt quot apos nbsp copy mdash laquo hellip numero rarr ne frac12 alpha Omega ensp zwj shy bsol lowbar vert ast".split(
    " ",
  );

describe("names of characters", () => {
  it("stand for what the parser's whole table says", () => {
    for (const name of names) expect([name, decodeNamedCharacterReference(name)]).toEqual([name, byParser(name)]);
  });

  it("that are not in the table are read by browsers that can do it safely", () => {
    expect(decodeNamedCharacterReference("CounterClockwiseContourIntegral")).toBe(false);
    const element = document.createElement("i");
    const texts: Readonly<Record<string, string>> = { "&check;": "✓", "&notit;": "¬it;", "&semi;": ";" };
    Reflect.set(element, "setHTML", (html: string) => {
      element.textContent = texts[html] ?? html;
    });
    const create = vi.spyOn(document, "createElement").mockReturnValue(element);
    expect(["check", "notit", "semi", "none"].map(decodeNamedCharacterReference)).toEqual(["✓", false, ";", false]);
    create.mockRestore();
  });
});

function byParser(name: string): string | undefined {
  const { children }: Root = fromMarkdown(`a&${name};b`);
  const [paragraph] = children;
  const [text] = paragraph?.type === "paragraph" ? paragraph.children : [];
  return text?.type === "text" ? text.value.slice(1, -1) : undefined;
}
