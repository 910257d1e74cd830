import type { Log, Project } from "@nitka/server";
import { createProjects } from "./projects.ts";
import type { Projects } from "./projects.ts";
import type { Settings } from "./read-settings.ts";
import type { KnowledgeOf } from "./knowledge/project-knowledge.ts";
import { SettingsError } from "./config/settings-error.ts";

export interface ServedProjectsOptions {
  readonly settings: Settings;
  /** Reads the config file again. */
  readonly read: () => Settings;
  readonly log: Log;
  /** Makes the search of a project's pages. */
  readonly knowledgeOf: KnowledgeOf;
}

/** The projects that the program serves, and their replacement while it runs. */
export interface ServedProjects {
  /** The current projects by id. The object stays the same; its contents are replaced. */
  readonly current: Readonly<Record<string, Project>>;
  /**
   * Reloads the config file and serves its projects. A file with mistakes changes nothing; the log names each mistake.
   * Concurrent replacements run one after the other.
   */
  readonly replace: (serve: (settings: Settings, projects: Readonly<Record<string, Project>>) => void) => Promise<void>;
  /**
   * Asks the MCP servers for their tools, without waiting for servers that do not answer at once.
   *
   * @throws SettingsError when the model would know two tools of a project by one name
   */
  readonly listTools: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Healthy servers answer within this time, in milliseconds. If two of their tools have the same name, the start fails.
 */
const LIST_MS = 500;

/**
 * Milliseconds before former connections are retired: a request that has begun with a former project may still be about
 * to open its tools.
 */
const RETIRE_MS = 60_000;

export function createServedProjects({ settings, read, log, knowledgeOf }: ServedProjectsOptions): ServedProjects {
  let served: Projects = createProjects(settings.projects, settings, log, { knowledgeOf });
  const current: Record<string, Project> = { ...served.projects };
  let replacing: Promise<void> = Promise.resolve();

  async function replace(serve: Parameters<ServedProjects["replace"]>[0]): Promise<void> {
    let made: Projects | undefined;
    try {
      const next = read();
      made = createProjects(next.projects, next, log, { former: served, knowledgeOf });
      await made.listTools(AbortSignal.timeout(LIST_MS));
      serve(next, made.projects);
      for (const id of Object.keys(current)) delete current[id];
      Object.assign(current, made.projects);
      retireLater(served, made);
      served = made;
      log.info({ projects: Object.keys(current) }, "the projects were reloaded");
    } catch (error) {
      if (made) retireLater(made, served);
      const problems = error instanceof SettingsError ? error.problems : [String(error)];
      for (const problem of problems) log.error({}, `The projects were not reloaded: ${problem}`);
    }
  }

  return {
    current,
    replace: (serve) => (replacing = replacing.then(async () => replace(serve))),
    listTools: async () => served.listTools(AbortSignal.timeout(LIST_MS)),
    close: async () => served.close(),
  };
}

/** Retires the connections that only the former projects use. */
function retireLater(former: Projects, next: Projects): void {
  const kept = new Set([...next.tools.values()].map(({ tools }) => tools));
  const unused = [...former.tools.values()].filter(({ tools }) => !kept.has(tools));
  setTimeout(() => {
    for (const { tools } of unused) tools.retire();
  }, RETIRE_MS).unref();
}
