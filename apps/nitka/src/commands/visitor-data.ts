/** What an operator owes a visitor: a copy of everything, and its end. */
import { randomUUID } from "node:crypto";
import { visitorExport } from "@nitka/server";
import type { Owner, Storage } from "@nitka/server";
import { knownProjects, unknownProject } from "../known-projects.ts";
import { openStorageBeside } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import type { Surroundings } from "../surroundings.ts";
import { writeAll } from "../write-all.ts";

interface VisitorArguments {
  readonly project?: string | undefined;
  readonly visitor?: string | undefined;
}

/** `nitka export`: prints everything that is kept of a visitor. */
export function exportVisitor(surroundings: Surroundings, args: VisitorArguments): Promise<number> {
  return withVisitor(surroundings, args, async (storage, owner) => {
    for await (const text of visitorExport(storage, owner)) await writeAll(surroundings.stdout, text);
  });
}

/** `nitka purge`: deletes everything that is kept of a visitor. */
export function purgeVisitor(surroundings: Surroundings, args: VisitorArguments): Promise<number> {
  return withVisitor(surroundings, args, async (storage, owner) => {
    const threads = await storage.visitors.purge(owner);
    surroundings.stdout.write(
      threads === 0
        ? `Nothing is kept of the visitor ${owner.visitorId} in the project ${owner.projectId}.\n`
        : `Deleted ${threads} ${threads === 1 ? "thread" : "threads"} of the visitor ${owner.visitorId} in the project ${owner.projectId}.\n`,
    );
  });
}

async function withVisitor(
  { env, stderr }: Surroundings,
  { project = "default", visitor }: VisitorArguments,
  work: (storage: Storage, owner: Owner) => Promise<void>,
): Promise<number> {
  if (!visitor) {
    stderr.write("--visitor is missing: expected the visitor's id, as the log and the database have it.\n");
    return 2;
  }
  const settings = readSettings(env);
  const storage = await openStorageBeside(settings, randomUUID());
  try {
    const projects = await knownProjects(settings, storage);
    if (!projects.has(project)) {
      stderr.write(`${unknownProject(project, projects)}\n`);
      return 2;
    }
    await work(storage, { projectId: project, visitorId: visitor });
    return 0;
  } finally {
    await storage.close();
  }
}
