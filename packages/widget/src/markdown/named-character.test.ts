import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it, vi } from "vitest";
import { decodeNamedCharacterReference } from "./named-character.ts";

const names =
  "amp lt gt quot apos nbsp copy mdash laquo hellip numero rarr ne frac12 alpha Omega ensp zwj shy bsol lowbar vert ast".split(
    " ",
  );

describe("named characters", () => {
  it("are the same as in the full table of the parser", () => {
    for (const name of names) expect([name, decodeNamedCharacterReference(name)]).toEqual([name, byParser(name)]);
  });

  it("outside of the table are read by browsers with setHTML", () => {
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
