/** The entries by which a project names tools: `search`, `shop/search` of the MCP server `shop`, with `*` for any text. */
import type { ToolOrigin } from "../../tool-origin.ts";

/** A tool as entries name it. */
export interface KnownTool {
  /** The name that the model calls it by. */
  readonly name: string;
  /** Absent where nobody knows. */
  readonly mcp?: ToolOrigin | undefined;
}

/**
 * What the entries say of a tool: of those that match, the one with the most literal characters, and the strictest of several
 * such. Of a tool whose origin nobody knows an entry for tools of a server counts too, where it may mean this one and is
 * stricter. `undefined` where none matches.
 *
 * @param strictness of a value; the greater is the stricter
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

/** Whether an entry, without a `!`, means a tool of known origin. */
export function matchesTool(pattern: string, { name, mcp }: KnownTool): boolean {
  const own = mcp ? (pattern.includes("/") ? `${mcp.server}/${mcp.tool}` : mcp.tool) : name;
  return matchesText(pattern, own) || (!pattern.includes("/") && matchesText(pattern, name));
}

/** Whether an entry for a server's tool may mean a tool of this name. A name that was cut may be that of any tool. */
function mayMean(pattern: string, name: string): boolean {
  const [, server, tool] = /^([^/]*)\/(.*)$/.exec(pattern) ?? [];
  if (server === undefined || tool === undefined) return false;
  return name.length >= 64 || matchesText(tool, name) || matchesText(`${server}_${tool}`, name);
}

/** Without a regular expression, because names come from servers and may make one slow. */
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
