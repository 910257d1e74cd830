import { decodeAddress, matchesPattern } from "../addresses.ts";

/** The name that a site's robots.txt may have for us. */
export const robotName = "nitkabot";

/** More than the first 500 KB of a robots.txt counts for nothing: RFC 9309, 2.5. */
export const robotsBytes = 500_000;

/** Whether the robot may read the address. */
export type RobotsRules = (address: string) => boolean;

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

/** Reads a robots.txt as RFC 9309 says: the groups of our name, else those of `*`; the longest pattern that meets wins. */
export function parseRobots(text: string): RobotsRules {
  const groups = new Map<string, Rule[]>();
  let names: string[] = [];
  let inRules = false;
  for (const line of text.split(/[\r\n]+/)) {
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const field = key.toLowerCase();
    if (field === "user-agent") {
      if (inRules) names = [];
      inRules = false;
      const name = /^(\*|[\w-]+)/.exec(value.trim().toLowerCase())?.[1];
      if (name === "*" || name === robotName) {
        names.push(name);
        groups.set(name, groups.get(name) ?? []);
      }
    } else if (field === "allow" || field === "disallow") {
      inRules = true;
      const pattern = decodeAddress(value.trim());
      if (pattern !== "") for (const name of names) groups.get(name)?.push({ allows: field === "allow", pattern });
    }
  }
  const rules = groups.get(robotName) ?? groups.get("*") ?? [];
  return (address) => {
    const { pathname, search } = new URL(address);
    const path = decodeAddress(pathname + search);
    let best: Rule | undefined;
    for (const rule of rules) {
      const length = best?.pattern.length ?? 0;
      if (rule.pattern.length < length || (rule.pattern.length === length && !rule.allows)) continue;
      const isWhole = rule.pattern.endsWith("$");
      if (matchesPattern(path, isWhole ? rule.pattern.slice(0, -1) : `${rule.pattern}*`)) best = rule;
    }
    return best?.allows ?? true;
  };
}
