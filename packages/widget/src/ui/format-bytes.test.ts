import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test("sizes are written in the largest unit that is not below one", () => {
  const sizes = [0, 900, 1536, 10 * 1024 * 1024, 2.5 * 1024 ** 3];
  expect(sizes.map((size) => formatBytes(size, "ru").replaceAll("\u00a0", " "))).toEqual([
    "0 Б",
    "900 Б",
    "1,5 кБ",
    "10 МБ",
    "2,5 ГБ",
  ]);
});
