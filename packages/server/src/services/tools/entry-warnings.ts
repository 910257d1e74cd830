import { matchesTool } from "./tool-rule.ts";
import type { ToolViews } from "./tool-views.ts";

/** The settings in which a project names tools. */
export interface ToolEntries {
  readonly approve?: readonly string[];
  readonly toolViews?: ToolViews;
}

/** The MCP servers of a project, each with its tools' own names; `undefined` for a server that has not answered. */
export type ListedServers = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Warns of entries in a project's `approve` and `toolViews` that cannot match any tool, one sentence each: entries for
 * a server that the project does not have, and entries that match no tool although every server that they could refer
 * to has answered. A name without a server in `toolViews` may be the name of a page's tool, so it never causes a
 * warning.
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
