import { createHash } from "node:crypto";
import type { ToolSet } from "ai";

export interface ServerTools {
  readonly server: string;
  readonly tools: ToolSet;
}

export interface NamedTool {
  readonly server: string;
  /** The name under which the model knows it. */
  readonly name: string;
  readonly tool: ToolSet[string];
}

/** What every provider takes. */
const MAX_NAME_CHARS = 64;

/**
 * The tools of all servers under names that no two share and every provider takes. A name that two servers share is
 * theirs with the server's name before it; where two are still the same, each ends with a digest of its full name.
 */
export function nameTools(servers: readonly ServerTools[]): readonly NamedTool[] {
  const all = servers.flatMap(({ server, tools }) =>
    Object.entries(tools).map(([toolName, tool]) => ({ server, toolName, tool })),
  );
  const plain = countOf(all.map(({ toolName }) => fit(toolName)));
  const candidates = all.map(({ server, toolName, tool }) => {
    const full = (plain.get(fit(toolName)) ?? 0) > 1 ? `${server}_${toolName}` : toolName;
    return { server, toolName, tool, full };
  });
  const fitted = countOf(candidates.map(({ full }) => fit(full)));
  return candidates.map(({ server, toolName, tool, full }) => {
    const name = (fitted.get(fit(full)) ?? 0) > 1 ? withDigest(full, `${server}/${toolName}`) : fit(full);
    return { server, name, tool };
  });
}

function fit(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME_CHARS);
}

function withDigest(name: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 8);
  return `${fit(name).slice(0, MAX_NAME_CHARS - digest.length - 1)}_${digest}`;
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
