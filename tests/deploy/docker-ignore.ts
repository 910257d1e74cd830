import { matchesGlob } from "node:path";

/**
 * Whether a `.dockerignore` keeps a path. The last line that matches the path or a folder above it decides; `!` keeps it.
 *
 * @param rules the file's text
 * @param path relative to the context, with slashes
 */
export function isSent(rules: string, path: string): boolean {
  const segments = path.split("/");
  const levels = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  let sent = true;
  for (const line of rules.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const keeps = line.startsWith("!");
    const pattern = keeps ? line.slice(1) : line;
    if (levels.some((level) => matchesGlob(level, pattern))) sent = keeps;
  }
  return sent;
}
