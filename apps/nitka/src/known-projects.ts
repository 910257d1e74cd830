import type { Storage } from "@nitka/server";
import type { Settings } from "./read-settings.ts";

/** The projects of the config, and those of which something is stored: what is kept of a project outlives its place in the config. */
export async function knownProjects({ projects }: Settings, storage: Storage): Promise<ReadonlySet<string>> {
  const counted = await storage.usage.report({ by: "project", from: "0000-01-01", to: "9999-12-31" });
  const stored = [...(await storage.visitors.projects()), ...counted.map(({ key }) => String(key))];
  return new Set([...Object.keys(projects), ...stored]);
}

/** The sentence about a project that nobody knows. */
export function unknownProject(project: string, known: ReadonlySet<string>): string {
  return `--project is ${JSON.stringify(project)}: expected one of ${[...known].join(", ")}.`;
}
