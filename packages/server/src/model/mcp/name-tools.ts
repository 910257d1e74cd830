import { createHash } from "node:crypto";
import type { ToolSet } from "ai";

export interface ServerTools {
  readonly server: string;
  readonly tools: ToolSet;
}

export interface NamedTool {
  readonly server: string;
  /** The unique name that the model is given. */
  readonly name: string;
  readonly tool: ToolSet[string];
}

/** The limit of the strictest provider. */
const MAX_NAME_CHARS = 64;

/**
 * Gives the tools of all servers unique names that every provider accepts. A name that two servers share gets the
 * server's name as a prefix; names that are still the same end with a digest.
 *
 * @example
 * // shop: "search", "pay" · docs: "search"
 * // named: "shop_search", "pay", "docs_search"
 */
export function nameTools(servers: readonly ServerTools[]): readonly NamedTool[] {
  const all = servers.flatMap(({ server, tools }) =>
    Object.entries(tools).map(([toolName, tool]) => ({ server, toolName, tool })),
  );
  const toolNames = countOf(all.map(({ toolName }) => sanitize(toolName)));
  const candidates = all.map(({ server, toolName, tool }) => {
    const full = (toolNames.get(sanitize(toolName)) ?? 0) > 1 ? `${server}_${toolName}` : toolName;
    return { server, toolName, tool, full };
  });
  const sanitized = countOf(candidates.map(({ full }) => sanitize(full)));
  return candidates.map(({ server, toolName, tool, full }) => {
    const name = (sanitized.get(sanitize(full)) ?? 0) > 1 ? withDigest(full, `${server}/${toolName}`) : sanitize(full);
    return { server, name, tool };
  });
}

/** The name with only the characters that every provider accepts, cut to their limit. */
function sanitize(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME_CHARS);
}

function withDigest(name: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 8);
  return `${sanitize(name).slice(0, MAX_NAME_CHARS - digest.length - 1)}_${digest}`;
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
