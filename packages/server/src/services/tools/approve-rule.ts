import type { ServerTool } from "../../model/run-visitor.ts";
import { ruleOf } from "./tool-rule.ts";

/** An entry of a project's `approve`: a tool, or `<mcp server>/<tool>`, with `*` for any text and `!` for an exception. */
export const approveEntry = /^!?[^\s/!]+(?:\/[^\s/]+)?$/;

/**
 * Makes the rule that decides which tools need the visitor's approval. Of several entries that match a tool, the one
 * with the most literal characters decides; in a tie, the one that requires approval. A tool without a matching entry
 * needs approval if MCP marks it as destructive.
 *
 * @example
 * const mustApprove = approveRule(["shop/*", "!shop/search"]);
 * mustApprove({ name: "pay", mcp: { server: "shop", tool: "pay" }, destructive: false }) // true
 * mustApprove({ name: "search", mcp: { server: "shop", tool: "search" }, destructive: false }) // false
 */
export function approveRule(entries: readonly string[]): (tool: ServerTool) => boolean {
  const rules = entries.map((entry) => [entry.replace(/^!/, ""), !entry.startsWith("!")] as const);
  return ({ name, mcp, destructive }) => ruleOf({ name, mcp: mcp ?? null }, rules, Number) ?? destructive;
}
