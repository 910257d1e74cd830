import type { ServerTool } from "../../model/run-visitor.ts";

/** An entry of a project's `approve`: a tool, or `<mcp server>/<tool>`, with `*` for any text and `!` for an exception. */
export const approveEntry = /^!?[^\s/!]+(?:\/[^\s/]+)?$/;

/**
 * Makes the rule by which tools need the visitor's approval. The last entry that matches a tool decides. A tool that no
 * entry matches needs approval if MCP marks it as destructive.
 *
 * @example
 * const mustApprove = approveRule(["shop/*", "!shop/search"]);
 * mustApprove({ name: "pay", mcp: { server: "shop", tool: "pay" }, destructive: false }) // true
 * mustApprove({ name: "search", mcp: { server: "shop", tool: "search" }, destructive: false }) // false
 */
export function approveRule(entries: readonly string[]): (tool: ServerTool) => boolean {
  const rules = entries.map((entry) => ({
    approve: !entry.startsWith("!"),
    matches: matcher(entry.replace(/^!/, "")),
  }));
  return (tool) => rules.findLast(({ matches }) => matches(tool))?.approve ?? tool.destructive;
}

function matcher(entry: string): (tool: ServerTool) => boolean {
  const texts = entry.split("*").map((text) => text.replaceAll(/[^\w]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${texts.join(".*")}$`, "s");
  return entry.includes("/")
    ? ({ mcp }) => mcp !== undefined && pattern.test(`${mcp.server}/${mcp.tool}`)
    : ({ name, mcp }) => pattern.test(name) || (mcp !== undefined && pattern.test(mcp.tool));
}
