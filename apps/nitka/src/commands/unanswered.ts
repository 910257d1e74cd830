import type { Unanswered } from "@nitka/server";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { writeAll } from "../write-all.ts";
import { knowledgeProjects } from "./knowledge-projects.ts";
import { oneLine } from "./one-line.ts";
import { withStorageBeside } from "./storage-beside.ts";

interface UnansweredArguments {
  readonly project?: string | undefined;
  readonly days?: string | undefined;
  readonly json?: boolean | undefined;
}

const DAY_MS = 86_400_000;

/** The most questions that are printed, the newest. */
const MOST = 1000;

const reasons = {
  nothing_found: "nothing was found",
  uncited: "the answer cites nothing",
  disliked: "the visitor disliked the answer",
};

/** `nitka knowledge unanswered`: prints the questions that the sites' pages did not answer. */
export async function listUnanswered(context: ProgramContext, args: UnansweredArguments): Promise<number> {
  const { stdout, stderr, clock } = context;
  const settings = readSettings(context.env);
  const projects = knowledgeProjects(settings, args.project);
  const days = args.days ?? "30";
  const problem = !/^[1-9]\d{0,3}$/.test(days)
    ? `--days is ${JSON.stringify(days)}: expected a whole number from 1 to 9999.`
    : "problem" in projects
      ? projects.problem
      : undefined;
  if (problem !== undefined || "problem" in projects) {
    stderr.write(`${problem}\n`);
    return 2;
  }
  const projectIds = projects.found.map(([id]) => id);
  const from = new Date(clock().getTime() - Number(days) * DAY_MS).toISOString();
  return withStorageBeside(context, settings, async ({ desk }) => {
    const entries = await desk.unanswered({ projectIds, from, limit: MOST });
    await writeAll(stdout, args.json ? `${JSON.stringify(entries, undefined, 2)}\n` : entriesText(entries, days));
    return 0;
  });
}

/** `nitka knowledge close`: takes questions off that list. */
export async function closeUnanswered(context: ProgramContext, ids: readonly string[]): Promise<number> {
  const { stdout, stderr } = context;
  if (ids.length === 0) {
    stderr.write("The ids are missing: nitka knowledge close <id>…, as nitka knowledge unanswered prints them.\n");
    return 2;
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
