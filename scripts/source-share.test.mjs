import { expect, it } from "vitest";
import { gzipSize, sourceShare } from "./source-share.mjs";

// `ab` is a.ts's, `cd` is b.ts's, `ef` nobody's; on the second line `gh` is a.ts's; the third has no mappings.
const code = "abcdef\ngh\n//";
const map = { sources: ["src/a.ts", "src/b.ts"], mappings: "AAAA,ECAA,E;ADAA" };

it("weighs what would be gone without a source", () => {
  expect(sourceShare(code, map, (source) => source === "src/b.ts")).toBe(gzipSize(code) - gzipSize("abef\ngh\n//"));
  expect(sourceShare(code, map, (source) => source === "src/a.ts")).toBe(gzipSize(code) - gzipSize("cdef\n\n//"));
});

it("weighs nothing for a source that is not there", () => {
  expect(sourceShare(code, map, () => false)).toBe(0);
});
