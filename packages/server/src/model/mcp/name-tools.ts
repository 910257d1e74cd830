import { createHash } from "node:crypto";
import type { ToolSet } from "ai";

export interface ServerTools {
  readonly server: string;
  readonly tools: ToolSet;
}

export interface NamedTool {
  readonly server: string;
  /** The tool's own name on its server. */
  readonly toolName: string;
  /** The name that the model gets. */
  readonly name: string;
  readonly tool: ToolSet[string];
}

/** The limit of the strictest provider. */
const MAX_NAME_CHARS = 64;

/**
 * Gives tools names that every provider accepts. The tools of a project's only server keep their names. With several
 * servers each tool is named `<server>_<tool>`, whichever servers have listed their tools, so that no name depends on
 * another server. A longer name is cut and ends with a digest, as do names that several tools of one server would
 * share.
 *
 * @param servers all servers of the project; those that have not answered yet have no tools
 * @example
 * // shop: "search", "pay" · docs: "search"
 * // named: "shop_search", "shop_pay", "docs_search"
 */
export function nameTools(servers: readonly ServerTools[]): readonly NamedTool[] {
  return servers.flatMap(({ server, tools }) => {
    const fullName = (toolName: string) => (servers.length > 1 ? `${server}_${toolName}` : toolName);
    const taken = countOf(Object.keys(tools).map((toolName) => allowed(fullName(toolName))));
    return Object.entries(tools).map(([toolName, tool]) => {
      const name = allowed(fullName(toolName));
      const isPlain = name.length <= MAX_NAME_CHARS && taken.get(name) === 1;
      return { server, toolName, tool, name: isPlain ? name : withDigest(name, `${server}/${toolName}`) };
    });
  });
}

/** The tools whose name an earlier tool already has: for example `b_c` of `a`, and `c` of `a_b`. */
export function coincidingTools(named: readonly NamedTool[]): readonly NamedTool[] {
  const names = new Set<string>();
  return named.filter(({ name }) => names.size === names.add(name).size);
}

/** Replaces the characters that some providers do not accept. */
function allowed(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_");
}

function withDigest(name: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_NAME_CHARS - digest.length - 1)}_${digest}`;
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
