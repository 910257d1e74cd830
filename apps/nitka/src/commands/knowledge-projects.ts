import type { KnowledgeFields } from "../config/knowledge-fields.ts";
import type { Settings } from "../read-settings.ts";

/** The projects that have knowledge, or what is wrong with the option `--project`. */
export function knowledgeProjects(
  { projects }: Settings,
  project: string | undefined,
): { readonly found: readonly (readonly [string, KnowledgeFields])[] } | { readonly problem: string } {
  const all = Object.entries(projects).flatMap(([id, { knowledge }]) => (knowledge ? [[id, knowledge] as const] : []));
  const names = all.map(([id]) => id).join(", ");
  if (all.length === 0) {
    return { problem: "No project has knowledge: expected the field knowledge in a project of the file NITKA_CONFIG." };
  }
  if (project === undefined) return { found: all };
  const found = all.filter(([id]) => id === project);
  return found.length > 0
    ? { found }
    : { problem: `--project is ${JSON.stringify(project)}: expected a project with knowledge, one of ${names}.` };
}

/** The one project of a command for one: the named one, or `default`, or the only one. */
export function knowledgeProject(
  settings: Settings,
  project: string | undefined,
): { readonly found: readonly [string, KnowledgeFields] } | { readonly problem: string } {
  const projects = knowledgeProjects(settings, project);
  if ("problem" in projects) return projects;
  const [first] = projects.found;
  const chosen = projects.found.find(([id]) => id === "default") ?? first;
  if (!chosen || (projects.found.length > 1 && chosen[0] !== "default")) {
    return { problem: `--project is missing: expected one of ${projects.found.map(([id]) => id).join(", ")}.` };
  }
  return { found: chosen };
}
