import { describe, expect, it } from "vitest";
import { approveEntry, approveRule } from "./approve-rule.ts";

const refund = { name: "shop_refund", mcp: { server: "shop", tool: "refund" }, destructive: false };
const search = { name: "search", mcp: { server: "shop", tool: "search" }, destructive: false };
const wipe = { name: "wipe", mcp: { server: "docs", tool: "wipe" }, destructive: true };
const own = { name: "cancel_order", destructive: false };

describe("approveRule", () => {
  it.each([
    ["destructive tools alone without entries", [], [wipe]],
    ["a tool by its name", ["cancel_order"], [wipe, own]],
    ["a tool by the name that it has on its server", ["refund"], [refund, wipe]],
    ["a tool by the name that the model is given", ["shop_refund"], [refund, wipe]],
    ["all tools of a server", ["shop/*"], [refund, search, wipe]],
    ["names with any text in them", ["*_ord*"], [wipe, own]],
    ["every tool", ["*"], [refund, search, wipe, own]],
    ["all but an exception", ["shop/*", "!shop/search"], [refund, wipe]],
    ["all but an exception that stands first", ["!shop/search", "shop/*"], [refund, wipe]],
    ["what both asks and does not, of equals", ["shop/*", "!shop/*", "!search*", "*search"], [refund, search, wipe]],
    ["what the longest of several says", ["!shop/*", "refund", "shop/ref*"], [refund, wipe]],
    ["no destructive tool that is an exception", ["!docs/*"], []],
    ["no other tool that only begins alike", ["cancel", "sho/refund", "shop/ref"], [wipe]],
  ])("asks about %s", (_, entries, asked) => {
    expect([refund, search, wipe, own].filter(approveRule(entries))).toEqual(asked);
  });

  it("takes every other character literally", () => {
    expect(approveRule(["a.b"])({ name: "a.b", destructive: false })).toBe(true);
    expect(approveRule(["a.b"])({ name: "axb", destructive: false })).toBe(false);
  });
});

describe("approveEntry", () => {
  it.each(["cancel_order", "shop/*", "!shop/search", "*", "shop/a.b-c", "*/delete*"])("matches %s", (entry) => {
    expect(approveEntry.test(entry)).toBe(true);
  });

  it.each(["", "!", "shop/", "/refund", "a b", "!!a", "a/b/c"])("does not match %j", (entry) => {
    expect(approveEntry.test(entry)).toBe(false);
  });
});
