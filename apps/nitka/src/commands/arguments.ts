/** Argument parsing that several commands share: projects, days. */
import type { Storage } from "@nitka/server";
import type { KnowledgeFields } from "../config/knowledge-fields.ts";
import type { Settings } from "../read-settings.ts";

/** A missing or invalid argument; the message is a sentence. The program exits with 2. */
export class ArgumentsError extends Error {
  override readonly name = "ArgumentsError";
}

const DAY_MS = 86_400_000;

/**
 * The time this many days ago.
 *
 * @throws {ArgumentsError} when `--days` is not a number
 */
export function daysAgo(days: string, now: Date): string {
  if (!/^[1-9]\d{0,3}$/.test(days)) {
    throw new ArgumentsError(`--days is ${JSON.stringify(days)}: expected a whole number from 1 to 9999.`);
  }
  return new Date(now.getTime() - Number(days) * DAY_MS).toISOString();
}

/** The projects of the config, and those with stored data: the data stay when a project is removed from the config. */
export async function knownProjects({ projects }: Settings, storage: Storage): Promise<ReadonlySet<string>> {
  const counted = await storage.usage.report({ by: "project", from: "0000-01-01", to: "9999-12-31" });
  const stored = [...(await storage.visitors.projects()), ...counted.map(({ key }) => String(key))];
  return new Set([...Object.keys(projects), ...stored]);
}

/** @throws {ArgumentsError} when the project of `--project` is neither configured nor stored */
export async function requireKnown(project: string, settings: Settings, storage: Storage): Promise<void> {
  const known = await knownProjects(settings, storage);
  if (known.has(project)) return;
  throw new ArgumentsError(`--project is ${JSON.stringify(project)}: expected one of ${[...known].join(", ")}.`);
}

type KnowledgeProject = readonly [id: string, fields: KnowledgeFields];

/**
 * The projects that have knowledge, or the named one.
 *
 * @throws {ArgumentsError} when there is none
 */
export function knowledgeProjects({ projects }: Settings, project: string | undefined): readonly KnowledgeProject[] {
  const all = Object.entries(projects).flatMap(([id, { knowledge }]) => (knowledge ? [[id, knowledge] as const] : []));
  if (all.length === 0) {
    throw new ArgumentsError("No project has the field knowledge: add it to a project in the file NITKA_CONFIG.");
  }
  const found = project === undefined ? all : all.filter(([id]) => id === project);
  if (found.length > 0) return found;
  throw new ArgumentsError(
    `--project is ${JSON.stringify(project)}: expected a project with knowledge, one of ${idsOf(all)}.`,
  );
}

/**
 * The project of a command that works on one: the named one, otherwise `default`, otherwise the only one.
 *
 * @throws {ArgumentsError} when there is none, or when there are several
 */
export function knowledgeProject(settings: Settings, project: string | undefined): KnowledgeProject {
  const found = knowledgeProjects(settings, project);
  const chosen = found.find(([id]) => id === "default") ?? (found.length === 1 ? found[0] : undefined);
  if (chosen) return chosen;
  throw new ArgumentsError(`--project is missing: expected one of ${idsOf(found)}.`);
}

function idsOf(projects: readonly KnowledgeProject[]): string {
  return projects.map(([id]) => id).join(", ");
}
