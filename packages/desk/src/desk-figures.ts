/**
 * The figures that the desk shows for runs and days, with their costs. The only texts are titles and visitors'
 * feedback.
 */
import { costOf } from "@nitka/server";
import type { DeskRun, DeskRunQuery, DeskSpan, DeskStorage, Project, Tokens } from "@nitka/server";
import type { Cost, DayFigures, RunFigures, RunPage } from "./run-figures.ts";

/** The projects that the desk knows, by id. */
export type DeskProjects = Readonly<Record<string, Pick<Project, "config" | "currency" | "prices" | "toolViews">>>;

export interface DeskFigures {
  runs(query: Omit<DeskRunQuery, "before"> & { readonly after?: string | undefined }): Promise<RunPage>;
  run(runId: string): Promise<RunFigures | undefined>;
  /** Newest day first. Days without runs and tokens have no row. */
  days(span: DeskSpan): Promise<readonly DayFigures[]>;
}

export function createDeskFigures(desk: DeskStorage, projects: DeskProjects): DeskFigures {
  return {
    async runs({ after, limit, ...query }) {
      const before = after === undefined ? undefined : placeOf(after);
      const found = await desk.runs({ ...query, before, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        runs: page.map((run) => figuresOf(run, projects)),
        ...(found.length > limit && last && { next: `${last.run.startedAt}~${last.run.runId}` }),
      };
    },

    async run(runId) {
      const found = await desk.run(runId);
      return found && figuresOf(found, projects);
    },

    async days(span) {
      const [days, tokens] = await Promise.all([desk.days(span), desk.tokens(span)]);
      const spent = Map.groupBy(tokens, keyOf);
      const counted = new Map(days.map((day) => [keyOf(day), day]));
      const all = new Map(
        [...tokens, ...days].map(({ day, projectId }) => [keyOf({ day, projectId }), { day, projectId }]),
      );
      return [...all]
        .toSorted(([, one], [, other]) =>
          one.day === other.day ? order(one.projectId, other.projectId) : order(other.day, one.day),
        )
        .map(([key, place]) => {
          const used = spent.get(key) ?? [];
          const cost = costOfDay(used, projects[place.projectId]);
          return Object.assign({ ...noRuns, ...place, ...counted.get(key) }, sumOf(used), cost && { cost });
        });
    },
  };
}

const noRuns = { runs: 0, errors: 0, cancelled: 0, interrupted: 0, rejoins: 0, up: 0, down: 0 };

function figuresOf(
  { owner: { projectId, visitorId }, run, status, title, isArchived, feedback, firstTokenMs, rejoins }: DeskRun,
  projects: DeskProjects,
): RunFigures {
  const { runId, threadId, answerId, startedAt, endedAt, modelId, tokens } = run;
  const { prices, currency = "USD" } = projects[projectId] ?? {};
  const amount = tokens && modelId !== undefined ? costOf(tokens, prices?.[modelId]) : undefined;
  return {
    runId,
    threadId,
    answerId,
    projectId,
    visitorId,
    ...(title !== undefined && !isArchived && { title }),
    status,
    startedAt,
    ...(endedAt !== undefined && { durationMs: Date.parse(endedAt) - Date.parse(startedAt) }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(rejoins !== undefined && { rejoins }),
    ...(modelId !== undefined && { modelId }),
    ...(tokens && { tokens }),
    ...(amount !== undefined && { cost: { amount, currency } }),
    ...(feedback && !isArchived && { feedback }),
    isReadable: !isArchived,
  };
}

type ModelTokens = Tokens & { readonly modelId: string };

/** The cost of a day's tokens; `undefined` when none of its models has a price. */
function costOfDay(used: readonly ModelTokens[], project: DeskProjects[string] | undefined): Cost | undefined {
  const { prices = {}, currency = "USD" } = project ?? {};
  const costs = used.map((tokens) => ({ modelId: tokens.modelId, amount: costOf(tokens, prices[tokens.modelId]) }));
  if (costs.every(({ amount }) => amount === undefined)) return undefined;
  const unpriced = costs.flatMap(({ modelId, amount }) => (amount === undefined ? [modelId] : []));
  return {
    amount: costs.reduce((sum, { amount = 0 }) => sum + amount, 0),
    currency,
    ...(unpriced.length > 0 && { unpriced }),
  };
}

function sumOf(used: readonly Tokens[]): Tokens {
  const sum = (name: keyof Tokens) => used.reduce((total, tokens) => total + tokens[name], 0);
  return {
    inputTokens: sum("inputTokens"),
    cachedInputTokens: sum("cachedInputTokens"),
    outputTokens: sum("outputTokens"),
  };
}

function keyOf({ day, projectId }: { readonly day: string; readonly projectId: string }): string {
  return `${day} ${projectId}`;
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The position that a page's `next` encodes. */
function placeOf(next: string): { readonly startedAt: string; readonly runId: string } {
  const at = next.indexOf("~");
  return { startedAt: next.slice(0, at), runId: next.slice(at + 1) };
}
