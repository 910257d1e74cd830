import type { Unanswered } from "@nitka/server";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { jsonText, oneLine, writeAll } from "../output.ts";
import { ArgumentsError, daysAgo, knowledgeProjects } from "./arguments.ts";
import { withStorageBeside } from "./storage-beside.ts";

interface UnansweredArguments {
  readonly project?: string | undefined;
  readonly days?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The most questions to print; the newest are kept. */
const MOST = 1000;

const reasons = {
  nothing_found: "nothing was found",
  uncited: "the answer cites nothing",
  disliked: "the visitor disliked the answer",
};

/** `nitka knowledge unanswered`: prints the questions that the sites' pages did not answer. */
export async function listUnanswered(context: ProgramContext, args: UnansweredArguments): Promise<number> {
  const { stdout, clock } = context;
  const settings = readSettings(context.env);
  const { days = "30" } = args;
  const from = daysAgo(days, clock());
  const projectIds = knowledgeProjects(settings, args.project).map(([id]) => id);
  return withStorageBeside(context, settings, async ({ desk }) => {
    const entries = await desk.unanswered({ projectIds, from, limit: MOST });
    await writeAll(stdout, args.json ? jsonText(entries) : entriesText(entries, days));
    return 0;
  });
}

/** `nitka knowledge close`: removes questions from that list. */
export async function closeUnanswered(context: ProgramContext, ids: readonly string[]): Promise<number> {
  const { stdout, stderr } = context;
  if (ids.length === 0) {
    throw new ArgumentsError(
      "The ids are missing: nitka knowledge close <id>…, as nitka knowledge unanswered prints them.",
    );
  }
  const settings = readSettings(context.env);
  return withStorageBeside(context, settings, async ({ desk }) => {
    const unknown: string[] = [];
    for (const id of ids) {
      if ((await desk.closeUnanswered(Object.keys(settings.projects), [id])) === 0) unknown.push(id);
    }
    const closed = ids.length - unknown.length;
    stdout.write(`Closed ${closed} ${closed === 1 ? "question" : "questions"}.\n`);
    for (const id of unknown) stderr.write(`There is no open question ${id}.\n`);
    return unknown.length > 0 ? 1 : 0;
  });
}

function entriesText(entries: readonly Unanswered[], days: string): string {
  if (entries.length === 0) return `The pages answered every question of the last ${days} days.\n`;
  const blocks = entries.map(({ id, at, question, reason, comment, passages }) =>
    [
      oneLine(question),
      `  ${at.slice(0, 16).replace("T", " ")}, ${reasons[reason]}${comment === undefined ? "" : `: «${oneLine(comment)}»`}`,
      ...passages.map(({ url }) => `  offered: ${url}`),
      `  nitka knowledge close ${id}`,
    ].join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}
