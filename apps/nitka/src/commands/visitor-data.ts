/** The export and the erasure of a visitor's data, as privacy law requires of an operator. */
import { erasureTelling, visitorExport } from "@nitka/server";
import type { MissingFile, Owner, Storage, ToolViews, Webhook } from "@nitka/server";
import { readSettings } from "../read-settings.ts";
import type { ProgramContext } from "../program-context.ts";
import { oneLine, writeAll } from "../output.ts";
import { ArgumentsError, requireKnown } from "./arguments.ts";
import { withStorageBeside } from "./storage-beside.ts";

interface VisitorArguments {
  readonly project?: string | undefined;
  readonly visitor?: string | undefined;
}

/** `nitka export`: prints all stored data of a visitor as JSON. */
export function exportVisitor(context: ProgramContext, args: VisitorArguments): Promise<number> {
  return withVisitor(context, args, "Reading", async (storage, owner, toolViews) => {
    const onMissing = ({ threadId, attachment: { name }, reason }: MissingFile) =>
      context.stderr.write(
        `The file «${oneLine(name)}» of the thread ${threadId} is missing from the export: ${reason}\n`,
      );
    const pieces = visitorExport(storage, owner, { toolViews, onMissing });
    for await (const text of pieces) await writeAll(context.stdout, text);
  });
}

/** `nitka purge`: deletes all stored data of a visitor. */
export function purgeVisitor(context: ProgramContext, args: VisitorArguments): Promise<number> {
  return withVisitor(context, args, "Deleting from", async (storage, owner, _, webhooks) => {
    const telling = erasureTelling(webhooks, new Date());
    const threads = await storage.visitors.purge(owner, telling);
    context.stdout.write(
      threads === 0
        ? `No thread of the visitor ${owner.visitorId} is stored in the project ${owner.projectId}. The consent and the token counts of this id, if any, are deleted.\n`
        : `Deleted ${threads} ${threads === 1 ? "thread" : "threads"} of the visitor ${owner.visitorId} in the project ${owner.projectId}.\n`,
    );
    if (!(await storage.reclaim("text"))) {
      context.stderr.write(
        "Another process, such as a backup, still reads the database. Until it ends, the file nitka.db-wal contains the deleted data. " +
          "A running server removes it within the hour; without one, run this command again.\n",
      );
    }
  });
}

async function withVisitor(
  { env, stderr }: ProgramContext,
  { project = "default", visitor }: VisitorArguments,
  doing: string,
  work: (
    storage: Storage,
    owner: Owner,
    toolViews: ToolViews | undefined,
    webhooks: readonly Webhook[] | undefined,
  ) => Promise<void>,
): Promise<number> {
  if (!visitor) {
    throw new ArgumentsError("--visitor is missing: expected the visitor's id, as in the log and the database.");
  }
  const settings = readSettings(env);
  const withProject = async (storage: Storage) => {
    await requireKnown(project, settings, storage);
    const { toolViews, webhooks } = settings.projects[project] ?? {};
    await work(storage, { projectId: project, visitorId: visitor }, toolViews, webhooks);
    return 0;
  };
  return withStorageBeside({ stderr }, settings, withProject, doing);
}
