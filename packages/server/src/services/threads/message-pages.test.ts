import { expect, it } from "vitest";
import type { MessageNode } from "../../storage/storage.ts";
import { isLarge, messagePages } from "./message-pages.ts";

/** Messages of these sizes, named by their positions. */
function nodesOf(sizes: readonly number[]): readonly MessageNode[] {
  return sizes.map((bytes, index) => ({ id: `${index}`, parentId: null, role: "user", bytes }));
}

it.each<[string, readonly number[], readonly string[]]>([
  ["none of nothing", [], []],
  ["one of messages that fill it", [100_000, 156_000], ["0 1"]],
  ["another one for a byte more", [100_000, 156_001, 1], ["0", "1 2"]],
  ["as many as each takes from the beginning", [200_000, 56_000, 200_000, 56_000, 1], ["0 1", "2 3", "4"]],
  ["one for a large message alone, wherever it stands", [256_001, 1, 256_001, 1], ["0", "1", "2", "3"]],
])("makes pages in the given order: %s", (_, sizes, pages) => {
  expect([...messagePages(nodesOf(sizes))].map((ids) => ids.join(" "))).toEqual(pages);
});

it("a page has at most a hundred messages", () => {
  expect([...messagePages(nodesOf(Array.from({ length: 201 }, () => 1)))].map(({ length }) => length)).toEqual([
    100, 100, 1,
  ]);
});

it("a message is large when it fills more than a page", () => {
  expect(nodesOf([256_000, 256_001]).map(isLarge)).toEqual([false, true]);
});
