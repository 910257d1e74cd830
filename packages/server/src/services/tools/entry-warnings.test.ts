import { describe, expect, it } from "vitest";
import { toolEntryWarnings } from "./entry-warnings.ts";

const project = {
  approve: ["shop/refund", "!shop/serch", "stok/*", "refund", "pey", "*/delete*", "docs/*"],
  toolViews: { "shop/search": "hidden", "shop/serch": "name", "stok/search": "args", page_tool: "name" },
} as const;

describe("toolEntryWarnings", () => {
  it("warns of servers that the project does not have, before any has answered", () => {
    expect(toolEntryWarnings(project, { shop: undefined, docs: undefined })).toEqual([
      'approve has "stok/*", but the project has no such MCP server: it has shop, docs.',
      'toolViews has "stok/search", but the project has no such MCP server: it has shop, docs.',
    ]);
    expect(toolEntryWarnings({ approve: ["shop/pay", "pay"] }, {})).toEqual([
      'approve has "shop/pay", but the project has no such MCP server: it has none.',
    ]);
  });

  it("warns of tools that a server which has answered does not have", () => {
    expect(toolEntryWarnings(project, { shop: ["search", "refund"], docs: undefined }).slice(0, 3)).toEqual([
      'approve has "!shop/serch", but the MCP server shop has no such tool: it has search, refund.',
      'approve has "stok/*", but the project has no such MCP server: it has shop, docs.',
      'toolViews has "shop/serch", but the MCP server shop has no such tool: it has search, refund.',
    ]);
  });

  it("warns of entries that match nothing once all have answered, but not of names that a page's tool may have", () => {
    const servers = { shop: ["search", "refund"], docs: [] };
    expect(toolEntryWarnings({ ...project, approve: ["refund", "pey", "*/delete*", "docs/*"] }, servers)).toEqual([
      'approve has "pey", but the MCP servers shop, docs have no such tool: they have search, refund.',
      'approve has "*/delete*", but the MCP servers shop, docs have no such tool: they have search, refund.',
      'approve has "docs/*", but the MCP server docs has no such tool: it has none.',
      'toolViews has "shop/serch", but the MCP server shop has no such tool: it has search, refund.',
      'toolViews has "stok/search", but the project has no such MCP server: it has shop, docs.',
    ]);
  });
});
