import { expect, it } from "vitest";
import { indexPassages } from "./index-passages.ts";

const weightsIn = (title: string, heading = "") => {
  const [words = new Map<string, number>()] = indexPassages({ title, passages: [{ headings: [heading], text: "" }] });
  return words;
};

it.each(["5.3. Поиск", "Глава 4. Поиск", "Chapter 12: Поиск", "B.4. Поиск"])(
  "gives the words of «%s» the weight that they have without the number, which is found too",
  (title) => {
    const words = weightsIn(title);
    expect(words.get("поиск")).toBe(weightsIn("Поиск").get("поиск"));
    expect(words.size).toBeGreaterThan(1);
    expect(weightsIn("", title).get("поиск")).toBe(weightsIn("", "Поиск").get("поиск"));
  },
);

it("takes no year and no letter for a number of a chapter", () => {
  expect(weightsIn("2024 год").get("год")).toBeLessThan(weightsIn("год").get("год") ?? 0);
  expect(weightsIn("C compiler").get("compil")).toBeLessThan(weightsIn("compiler").get("compil") ?? 0);
});
