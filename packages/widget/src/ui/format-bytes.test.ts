import { expect, test } from "vitest";
import { formatBytes } from "./failure-text.ts";

test("sizes are written in the largest unit that is not below one", () => {
  const sizes = [0, 900, 1500, 10_000_000, 2_500_000_000];
  expect(sizes.map((size) => formatBytes(size, "ru").replaceAll("\u00a0", " "))).toEqual([
    "0 Б",
    "900 Б",
    "1,5 кБ",
    "10 МБ",
    "2,5 ГБ",
  ]);
});
