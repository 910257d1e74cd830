import { expect, it } from "vitest";
import { gzipSize, sourceShare } from "./source-share.mjs";

// `ab` comes from a.ts, `cd` from b.ts, `ef` from no source; in the second line `gh` from a.ts; the third has no mappings.
const code = "abcdef\ngh\n//";
const map = { sources: ["src/a.ts", "src/b.ts"], mappings: "AAAA,ECAA,E;ADAA" };

it("is the difference in gzipped size without the source", () => {
  expect(sourceShare(code, map, (source) => source === "src/b.ts")).toBe(gzipSize(code) - gzipSize("abef\ngh\n//"));
  expect(sourceShare(code, map, (source) => source === "src/a.ts")).toBe(gzipSize(code) - gzipSize("cdef\n\n//"));
});

it("is zero for an unknown source", () => {
  expect(sourceShare(code, map, () => false)).toBe(0);
});
