// @vitest-environment node
import { describe, expect, it } from "vitest";
import { addressOf, isWidgetAddress, threadIn } from "./thread-address.ts";
import type { Routing } from "./thread-address.ts";

const at = (url: string) => new URL(url, "https://shop.example");

describe("the address", () => {
  it.each<[string, Routing, string, string | undefined]>([
    ["/c/t1", "path", "", "t1"],
    ["/c/t1/", "path", "", "t1"],
    ["/c/%D1%91", "path", "", "ё"],
    ["/c/%E0%A4", "path", "", undefined],
    ["/c/", "path", "", undefined],
    ["/", "path", "", undefined],
    ["/help/c/t1", "path", "/help", "t1"],
    ["/c/t1", "path", "/help", undefined],
    ["/page#/c/t1", "hash", "", "t1"],
    ["/page#/help/c/t1", "hash", "/help", "t1"],
    ["/c/t1", "hash", "", undefined],
    ["/c/t1", "none", "", undefined],
  ])("%s (%s, «%s») names %s", (url, routing, basePath, expected) => {
    expect(threadIn(at(url), { routing, basePath })).toBe(expected);
  });

  it.each<[string, Routing, string, string]>([
    ["/", "path", "", "/c/t%201"],
    ["/shop?lang=ru#top", "path", "/help", "/help/c/t%201?lang=ru#top"],
    ["/shop?lang=ru#top", "hash", "", "/shop?lang=ru#/c/t%201"],
  ])("%s (%s, «%s») becomes %s", (url, routing, basePath, expected) => {
    expect(addressOf("t 1", at(url), { routing, basePath })).toBe(expected);
  });

  it("is the widget's to change at its base path and below /c/", () => {
    const rules = { routing: "path", basePath: "/help" } as const;
    expect(
      ["/help", "/help/", "/help/c/x", "/helpful", "/about"].map((url) => isWidgetAddress(at(url), rules)),
    ).toEqual([true, true, true, false, false]);
  });
});
