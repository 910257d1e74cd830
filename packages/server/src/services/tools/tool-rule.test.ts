import { describe, expect, it } from "vitest";
import { TOOL_VIEWS } from "./tool-views.ts";
import type { ToolViews } from "./tool-views.ts";
import { matchesTool, ruleOf } from "./tool-rule.ts";
import type { KnownTool } from "./tool-rule.ts";

const shopSearch = { name: "shop_search", mcp: { server: "shop", tool: "search" } };
const docsSearch = { name: "docs_search", mcp: { server: "docs", tool: "search" } };
const site = { name: "search_site", mcp: null };

function viewOf(tool: KnownTool, views: ToolViews) {
  return ruleOf(tool, Object.entries(views), (view) => TOOL_VIEWS.indexOf(view));
}

describe("ruleOf", () => {
  it.each<[string, KnownTool, ToolViews, string | undefined]>([
    ["nothing without an entry that matches", shopSearch, { docs: "hidden", "docs/search": "hidden" }, undefined],
    ["what an entry for the server's tool says", shopSearch, { "shop/search": "hidden" }, "hidden"],
    ["what an entry for the name on the server says", shopSearch, { search: "name" }, "name"],
    ["what an entry for the model's name says", docsSearch, { docs_search: "args" }, "args"],
    ["what a bare pattern says of a tool of the server", site, { "search*": "args" }, "args"],
    ["nothing of a server's tools for a tool of none", site, { "*/*": "hidden", "shop/*": "hidden" }, undefined],
    ["what has more literal characters", shopSearch, { "*": "hidden", "shop/*": "args", search: "all" }, "all"],
    ["what has more literal characters, as listed", shopSearch, { "shop/s*": "all", search: "hidden" }, "hidden"],
    ["the strictest of equals", shopSearch, { "*search": "all", "search*": "hidden", search: "args" }, "hidden"],
    ["the strictest of equals, wherever it stands", shopSearch, { "shop*": "hidden", "*shop*": "all" }, "hidden"],
    ["a guess for a tool of unknown origin", { name: "shop_search" }, { "shop/sea*": "hidden" }, "hidden"],
    ["a guess for one that had no prefix", { name: "search" }, { "*/search": "name" }, "name"],
    ["no looser guess", { name: "shop_search" }, { "*": "hidden", "shop/search": "all" }, "hidden"],
    ["a guess for a name that was cut", { name: "x".repeat(64) }, { "shop/y": "hidden" }, "hidden"],
  ])("says %s", (_, tool, views, view) => {
    expect(viewOf(tool, views)).toBe(view);
  });
});

describe("matchesTool", () => {
  it.each([
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*b*", "abc", true],
    ["ab*bc", "abc", false],
    ["a*b*c", "a_b_b_c", true],
    ["a*b*c", "acb", false],
    ["**", "", true],
    ["a.b", "axb", false],
  ])("%s matches %s: %j", (pattern, name, isMatch) => {
    expect(matchesTool(pattern, { name, mcp: null })).toBe(isMatch);
  });
});
