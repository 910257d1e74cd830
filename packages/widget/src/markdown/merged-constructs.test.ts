// @vitest-environment node
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfm } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { mergeOnce } from "./parse-markdown.ts";

it("merges the extensions only at the first parse, and parses as without merging", () => {
  let merges = 0;
  const counted = {
    get text() {
      merges += 1;
      return {};
    },
  };
  const nextExtensions = mergeOnce(
    [gfm(), counted],
    (merged) => merged,
    () => undefined,
  );
  for (const text of [
    "a ~~b~~",
    "[^a]: b ~~c~~ www.d.e\n",
    "| a |\n|-|\n| ~~b~~ |",
    "- [^a]: ~~b~~",
    "> - a\n\n    ~~b~~",
  ]) {
    expect(fromMarkdown(text, { extensions: nextExtensions() })).toEqual(fromMarkdown(text, { extensions: [gfm()] }));
  }
  expect(merges).toBe(1);
});
