import type { Log, Project } from "@nitka/server";
import { createProjects } from "./projects.ts";
import type { Projects } from "./projects.ts";
import type { Settings } from "./read-settings.ts";
import type { KnowledgeOf } from "./knowledge/project-knowledge.ts";
import { SettingsError } from "./config/settings-error.ts";

export interface ServedProjectsOptions {
  readonly settings: Settings;
  /** Reads the file of projects again. */
  readonly read: () => Settings;
  readonly log: Log;
  /** The search of a project's pages. */
  readonly knowledgeOf: KnowledgeOf;
}

/** The projects that the program serves, and their replacement while it runs. */
export interface ServedProjects {
  /** By id. It is the same object for good, which always has the projects of now. */
  readonly current: Readonly<Record<string, Project>>;
  /**
   * Reads the file again and serves its projects. A file with mistakes changes nothing; the log names each of them.
   * Replacements that overlap come one after the other.
   */
  readonly replace: (serve: (settings: Settings, projects: Readonly<Record<string, Project>>) => void) => Promise<void>;
  /**
   * Asks the MCP servers for their tools. One that does not answer at once is not waited for.
   *
   * @throws SettingsError when the model would know two tools of a project by one name
   */
  readonly listTools: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Servers that work answer within this time. Two tools of one name among theirs stop the start. */
const LIST_MS = 500;

/** A request that has begun with a former project may still be about to open its tools. */
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
      log.info({ projects: Object.keys(current) }, "the projects have been read again");
    } catch (error) {
      if (made) retireLater(made, served);
      const problems = error instanceof SettingsError ? error.problems : [String(error)];
      for (const problem of problems) log.error({}, `The projects stay as they are: ${problem}`);
    }
  }

  return {
    current,
    replace: (serve) => (replacing = replacing.then(async () => replace(serve))),
    listTools: async () => served.listTools(AbortSignal.timeout(LIST_MS)),
    close: async () => served.close(),
  };
}

/** Retires the connections that only the former projects have. */
function retireLater(former: Projects, next: Projects): void {
  const kept = new Set([...next.tools.values()].map(({ tools }) => tools));
  const unused = [...former.tools.values()].filter(({ tools }) => !kept.has(tools));
  setTimeout(() => {
    for (const { tools } of unused) tools.retire();
  }, RETIRE_MS).unref();
}
