/**
 * The entries with which a project names tools: `search`, or `shop/search` of the MCP server `shop`, with `*` for any
 * text.
 */
import type { ToolOrigin } from "../../tool-origin.ts";

/** A tool, as entries can name it. */
export interface KnownTool {
  /** The name under which the model calls it. */
  readonly name: string;
  /** Absent when the origin is unknown. */
  readonly mcp?: ToolOrigin | undefined;
}

/**
 * The value that the entries give a tool: that of the matching entry with the most literal characters; in a tie, the
 * strictest value. When the tool's origin is unknown, a stricter entry for a server's tools also counts if it may mean
 * this tool. `undefined` when no entry matches.
 *
 * @param strictness the strictness of a value; a greater number is stricter
 * @example
 * ruleOf({ name: "shop_search", mcp: { server: "shop", tool: "search" } }, [["shop/*", "all"], ["search", "hidden"]], strictness)
 * // "hidden": six literal characters against five
 */
export function ruleOf<T>(
  tool: KnownTool,
  entries: readonly (readonly [pattern: string, value: T])[],
  strictness: (value: T) => number,
): T | undefined {
  const matching = entries.filter(([pattern]) => matchesTool(pattern, tool));
  const most = Math.max(...matching.map(([pattern]) => literalChars(pattern)));
  const counting = matching.filter(([pattern]) => literalChars(pattern) === most);
  const guessed = tool.mcp === undefined ? entries.filter(([pattern]) => mayMean(pattern, tool.name)) : [];
  return [...counting, ...guessed]
    .map(([, value]) => value)
    .toSorted((a, b) => strictness(b) - strictness(a))
    .at(0);
}

function literalChars(pattern: string): number {
  return pattern.replaceAll("*", "").length;
}

/** Whether an entry, without its `!`, matches a tool of known origin. */
export function matchesTool(pattern: string, { name, mcp }: KnownTool): boolean {
  const own = mcp ? (pattern.includes("/") ? `${mcp.server}/${mcp.tool}` : mcp.tool) : name;
  return matchesText(pattern, own) || (!pattern.includes("/") && matchesText(pattern, name));
}

/** Whether an entry for a server's tool may mean a tool with this name. A truncated name may belong to any tool. */
function mayMean(pattern: string, name: string): boolean {
  const [, server, tool] = /^([^/]*)\/(.*)$/.exec(pattern) ?? [];
  if (server === undefined || tool === undefined) return false;
  return name.length >= 64 || matchesText(tool, name) || matchesText(`${server}_${tool}`, name);
}

/** Uses no regular expression: names come from servers, and some could make one slow. */
function matchesText(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === pattern;
  let from = first.length;
  for (const each of others) {
    const at = text.indexOf(each, from);
    if (at === -1) return false;
    from = at + each.length;
  }
  return text.startsWith(first) && text.length - last.length >= from && text.endsWith(last);
}
