import type { Feedback } from "@nitka/protocol";
import type { Storage } from "@nitka/server";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { oneLine, writeAll } from "../output.ts";
import { daysAgo, knownProjects } from "./arguments.ts";
import { withStorageBeside } from "./storage-beside.ts";

interface FeedbackArguments {
  readonly days?: string | undefined;
  readonly json?: boolean | undefined;
}

interface Rated extends Feedback {
  /** When the answer began. */
  readonly at: string;
  readonly projectId: string;
  readonly threadId: string;
  readonly messageId: string;
}

const DAY_MS = 86_400_000;

/** The number of runs that one query reads. */
const PAGE = 200;

/** `nitka feedback`: prints visitors' feedback on answers, newest first. */
export async function feedback(context: ProgramContext, { days = "30", json }: FeedbackArguments): Promise<number> {
  const { stdout, clock } = context;
  const from = daysAgo(days, clock());
  const settings = readSettings(context.env);
  return withStorageBeside(context, settings, async (storage) => {
    const span = {
      projectIds: [...(await knownProjects(settings, storage))],
      from,
      // The clock of an instance may be ahead of this one's.
      to: new Date(clock().getTime() + DAY_MS).toISOString(),
    };
    let count = 0;
    for await (const one of ratedAnswers(storage, span)) {
      const text = json ? `${count === 0 ? "[" : ","}\n  ${JSON.stringify(one)}` : `${lineOf(one)}\n`;
      await writeAll(stdout, text);
      count += 1;
    }
    const none = `No answer was rated in the last ${days} days.\n`;
    if (json) await writeAll(stdout, count === 0 ? "[]\n" : "\n]\n");
    else if (count === 0) stdout.write(none);
    return 0;
  });
}

/** The rated answers of threads that their visitors have not deleted. */
async function* ratedAnswers(
  { desk }: Storage,
  span: Omit<Parameters<Storage["desk"]["runs"]>[0], "limit">,
): AsyncGenerator<Rated> {
  for (let before: (typeof span)["before"]; ;) {
    const page = await desk.runs({ ...span, rating: "any", before, limit: PAGE });
    for (const { owner, run, isArchived, feedback: given } of page) {
      before = { startedAt: run.startedAt, runId: run.runId };
      if (isArchived || !given) continue;
      const { threadId, answerId: messageId } = run;
      yield { at: run.startedAt, projectId: owner.projectId, threadId, messageId, ...given };
    }
    if (page.length < PAGE) return;
  }
}

function lineOf({ at, projectId, threadId, rating, reason }: Rated): string {
  const said = reason === undefined ? "" : `  «${oneLine(reason)}»`;
  return `${at.slice(0, 16).replace("T", " ")}  ${rating.padEnd(4)}  ${projectId}  ${threadId}${said}`;
}
