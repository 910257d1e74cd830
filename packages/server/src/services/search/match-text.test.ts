import { MAX_MATCH_CHARS } from "@nitka/protocol/found-thread";
import { describe, expect, it } from "vitest";
import { matchIn } from "./match-text.ts";
import { soughtWords } from "./thread-words.ts";

const match = (text: string, query: string) => matchIn(text, soughtWords(query));
const filler = (count: number) => "слово за словом ".repeat(count);

describe("a match", () => {
  it("is a short text unchanged, on one line", () => {
    expect(match("Чай:\n\nкак  его заваривать?", "заваривал")).toBe("Чай: как его заваривать?");
  });

  it("is the excerpt of a long text that contains the most of the words", () => {
    const text = `${filler(30)}чай ${filler(30)}зелёный чай с мёдом ${filler(30)}`;
    const found = match(text, "мед чая");
    expect(found).toContain("зелёный чай с мёдом");
    expect(found).toMatch(/^…слово|^…за|^…словом/);
    expect(found).toMatch(/(слово|за|словом)…$/);
    expect(found?.length).toBeLessThanOrEqual(MAX_MATCH_CHARS);
  });

  it("ends with the text where that ends", () => {
    expect(match(`${filler(30)}чай`, "чай")?.endsWith("словом чай")).toBe(true);
    expect(match(`чай ${filler(30)}`, "чай")?.startsWith("чай слово")).toBe(true);
  });

  it("finds the last word by its prefix, but not the others", () => {
    expect(match("running late", "runni")).toBe("running late");
    expect(match("running late", "runni lat")).toBe("running late");
    expect(match("running", "runni late")).toBeUndefined();
  });

  it("has no markdown, unless the words occur only in an address", () => {
    expect(match("## **Чай**\n- [купить](https://shop.example/) `чай`", "чай")).toBe("Чай купить чай");
    expect(match("[купить](https://shop.example/)", "shop")).toContain("https://shop.example/");
  });

  it("cuts words that are longer than it, but no surrogate pair", () => {
    const found = match(`чай${"🎉".repeat(300)}`, "чай");
    expect(found?.isWellFormed()).toBe(true);
    expect(found?.length).toBeLessThanOrEqual(MAX_MATCH_CHARS);
  });

  it("of random texts contains a word of the query, within its length", () => {
    const words = [
      "чай",
      "Ёлка",
      "e\u0301te\u0301",
      "東京",
      "FileExists",
      "it's",
      "🎉",
      "C++",
      "—",
      "\n\n",
      "**x**",
      "a".repeat(90),
    ];
    for (let seed = 1; seed <= 300; seed += 1) {
      const pick = (n: number) => words[(seed * 31 + n * n * 17 + n) % words.length] ?? "";
      const text = Array.from({ length: seed % 90 }, (_, n) => pick(n)).join(" ");
      const found = match(`${text} искомое ${text}`, "искомого");
      expect([seed, found?.includes("искомое"), (found?.length ?? 0) <= MAX_MATCH_CHARS]).toEqual([seed, true, true]);
    }
  });
});
