import { matchesTool } from "./tool-rule.ts";
import type { ToolViews } from "./tool-views.ts";

/** Where a project names tools. */
export interface ToolEntries {
  readonly approve?: readonly string[];
  readonly toolViews?: ToolViews;
}

/** The MCP servers of a project with the names that their tools have there; `undefined` for one that has not answered. */
export type ListedServers = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * What in a project's `approve` and `toolViews` can mean no tool, one sentence each: entries with a server that the project does
 * not have, and entries that match no tool although every server that they mean has answered. A name without a server in
 * `toolViews` may be that of a page's tool, so it is never warned of.
 *
 * @example
 * toolEntryWarnings({ approve: ["shop/serch"] }, { shop: ["search"] })
 * // ['approve has "shop/serch", but the MCP server shop has no such tool: it has search.']
 */
export function toolEntryWarnings(
  { approve = [], toolViews = {} }: ToolEntries,
  servers: ListedServers,
): readonly string[] {
  return [
    ...approve.flatMap(
      (entry) => warningOf(`approve has ${JSON.stringify(entry)}`, entry.replace(/^!/, ""), servers) ?? [],
    ),
    ...Object.keys(toolViews).flatMap(
      (entry) => (entry.includes("/") && warningOf(`toolViews has ${JSON.stringify(entry)}`, entry, servers)) || [],
    ),
  ];
}

function warningOf(found: string, pattern: string, servers: ListedServers): string | undefined {
  const [prefix] = pattern.includes("/") ? pattern.split("/") : [];
  const meant = Object.entries(servers).filter(
    ([server]) => prefix === undefined || matchesTool(prefix, { name: server }),
  );
  if (meant.length === 0) {
    const names = Object.keys(servers).join(", ");
    if (prefix === undefined) return undefined;
    return `${found}, but the project has no such MCP server: ${names === "" ? "it has none" : `it has ${names}`}.`;
  }
  const tools = meant.flatMap(([server, names]) => names?.map((tool) => ({ server, tool })) ?? []);
  const isKnown = meant.every(([, names]) => names !== undefined);
  if (!isKnown || tools.some((mcp) => matchesTool(pattern, { name: mcp.tool, mcp }))) return undefined;
  const which = meant.map(([server]) => server).join(", ");
  const has = tools.map(({ tool }) => tool).join(", ") || "none";
  return meant.length === 1
    ? `${found}, but the MCP server ${which} has no such tool: it has ${has}.`
    : `${found}, but the MCP servers ${which} have no such tool: they have ${has}.`;
}
