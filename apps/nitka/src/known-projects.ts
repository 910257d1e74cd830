import type { Storage } from "@nitka/server";
import type { Settings } from "./read-settings.ts";

/** The projects of the config, and those with stored data: the data stay when a project is removed from the config. */
export async function knownProjects({ projects }: Settings, storage: Storage): Promise<ReadonlySet<string>> {
  const counted = await storage.usage.report({ by: "project", from: "0000-01-01", to: "9999-12-31" });
  const stored = [...(await storage.visitors.projects()), ...counted.map(({ key }) => String(key))];
  return new Set([...Object.keys(projects), ...stored]);
}

/** The error for `--project` with a project that is neither configured nor stored. */
export function unknownProject(project: string, known: ReadonlySet<string>): string {
  return `--project is ${JSON.stringify(project)}: expected one of ${[...known].join(", ")}.`;
}
