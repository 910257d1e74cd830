import { sql } from "kysely";
import type { SelectQueryBuilder } from "kysely";
import type { DeskDay, DeskRun, DeskRunQuery, DeskRunStatus, DeskStorage } from "../desk.ts";
import { notesOfRow, statusOfRow } from "./rows/message-row.ts";
import { figuresOfRow, measuredRunColumns, ownerOfRow, runOfRow } from "./rows/run-row.ts";
import type { MeasuredRunRow } from "./rows/run-row.ts";
import { RUNNING } from "./rows/running-runs.ts";
import { listUnanswered } from "./threads/unanswered-repository.ts";
import type { MessageTable, Schema, ThreadTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { createEventLoopTurns } from "../../event-loop-turns.ts";
import { utcDay, utcTime } from "./utc-time.ts";

/** The desk's queries that only read. */
export function deskRepository(db: Db, dialect: SqlDialect): Omit<DeskStorage, "closeUnanswered"> {
  const turns = createEventLoopTurns();
  return {
    // Each index begins with the project: one page per project is read, and the newest of all pages are returned.
    runs: async ({ projectIds, ...query }) => {
      const rows: DeskRow[] = [];
      for (const projectId of projectIds) rows.push(...(await runsOfProject(db, projectId, query)));
      return rows.toSorted(newestFirst).slice(0, query.limit).map(deskRunOfRow);
    },

    run: async (runId) => {
      const found = db.selectFrom("run").select(measuredRunColumns).where("run.run_id", "=", runId);
      const row = await described(db, found).executeTakeFirst();
      return row && deskRunOfRow(row);
    },

    ownerOf: async (threadId) => {
      const row = await db
        .selectFrom("thread")
        .select(["project_id", "visitor_id"])
        .where("thread_id", "=", threadId)
        .where("archived_at", "is", null)
        .executeTakeFirst();
      return row && ownerOfRow(row);
    },

    unanswered: (query) => listUnanswered(db, query),

    days: async ({ projectIds, from, to }) => {
      const sums: DayRow[] = [];
      for (const slice of slicesOf(from, to, dialect.sumSpanMs)) {
        for (const projectId of projectIds) {
          await turns.next();
          sums.push({ day: utcDay(slice.from), projectId, ...(await sumsOf(db, projectId, slice)) });
        }
      }
      const days = [...Map.groupBy(sums, ({ day, projectId }) => JSON.stringify([day, projectId])).values()];
      return days.flatMap(dayOfRows).toSorted(byDay);
    },

    tokens: async ({ projectIds, from, to }) => {
      if (projectIds.length === 0) return [];
      const rows = await db
        .selectFrom("project_usage")
        .select(["day", "project_id", "model_id"])
        .select([
          sql<Count>`sum(input_tokens)`.as("input"),
          sql<Count>`sum(cached_tokens)`.as("cached"),
          sql<Count>`sum(output_tokens)`.as("output"),
        ])
        .where("project_id", "in", projectIds)
        .where("day", ">=", utcDay(from))
        // `to` is exclusive, so the last day is that of the millisecond before it.
        .where("day", "<=", utcDay(new Date(Date.parse(to) - 1).toISOString()))
        .groupBy(["day", "project_id", "model_id"])
        .orderBy("day", "desc")
        .orderBy("project_id")
        .orderBy("model_id")
        .execute();
      return rows.map((row) => ({
        day: row.day,
        projectId: row.project_id,
        modelId: row.model_id,
        inputTokens: Number(row.input),
        cachedInputTokens: Number(row.cached),
        outputTokens: Number(row.output),
      }));
    },
  };
}

/** Postgres returns large numbers as text. */
type Count = number | string;

const deskColumns = [
  "thread.project_id",
  "thread.visitor_id",
  "thread.title",
  "thread.archived_at",
  "message.status as answer_status",
  "message.reason",
  "message.error",
  "message.code",
  "message.rating",
  "message.rating_reason",
] as const;

type DeskRow = MeasuredRunRow &
  Pick<ThreadTable, "project_id" | "visitor_id" | "title" | "archived_at"> &
  Pick<MessageTable, "reason" | "error" | "code" | "rating" | "rating_reason"> & {
    readonly answer_status: MessageTable["status"];
  };

/** A page of a project's runs, in any order. */
function runsOfProject(
  db: Db,
  projectId: string,
  { status, rating, before, limit, from, to }: Omit<DeskRunQuery, "projectIds">,
): Promise<readonly DeskRow[]> {
  let page = db
    .selectFrom("run")
    .select(measuredRunColumns)
    .where("run.project_id", "=", projectId)
    .where("run.started_at", ">=", utcTime(from))
    .where("run.started_at", "<", utcTime(to))
    .orderBy("run.started_at", "desc")
    .orderBy("run.run_id", "desc")
    .limit(limit);
  if (status === "running") page = page.where("run.status", "=", RUNNING);
  else if (status === "complete") page = page.where("run.status", "=", status);
  else if (status !== undefined) page = page.where("run.reason", "=", status satisfies DeskRunStatus);
  if (rating === "any") page = page.where("run.rating", "is not", null);
  else if (rating !== undefined) page = page.where("run.rating", "=", rating);
  if (before !== undefined) {
    const place = sql`(${utcTime(before.startedAt)}, ${before.runId})`;
    page = page.where(sql<boolean>`(run.started_at, run.run_id) < ${place}`);
  }
  return described(db, page).execute();
}

/** Joins runs with their threads and answers. `found` must be limited already, so that no other rows are joined. */
function described(db: Db, found: SelectQueryBuilder<Schema, "run", MeasuredRunRow>) {
  return db
    .selectFrom(found.as("run"))
    .innerJoin("thread", "thread.thread_id", "run.thread_id")
    .innerJoin("message", (join) =>
      join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
    )
    .select(measuredRunColumns)
    .select(deskColumns);
}

function newestFirst(one: DeskRow, other: DeskRow): number {
  return order(other.started_at, one.started_at) || order(other.run_id, one.run_id);
}

function deskRunOfRow(row: DeskRow): DeskRun {
  const { feedback } = notesOfRow({ ...row, suggestions: null });
  return {
    owner: ownerOfRow(row),
    run: runOfRow(row),
    status: statusOfRow({ ...row, status: row.answer_status }) ?? { type: "complete" },
    ...(row.title !== null && { title: row.title }),
    isArchived: row.archived_at !== null,
    ...(feedback && { feedback }),
    ...figuresOfRow(row),
  };
}

type SumsRow = Awaited<ReturnType<typeof sumsOf>>;

interface DayRow extends SumsRow {
  readonly day: string;
  readonly projectId: string;
}

interface Slice {
  readonly from: string;
  readonly to: string;
}

/** Cuts a span at each multiple of `ms`; the newest slice is first. */
function slicesOf(from: string, to: string, ms: number): readonly Slice[] {
  const slices: Slice[] = [];
  const [first, end] = [Date.parse(from), Date.parse(to)];
  for (let stop = end; stop > first;) {
    const start = Math.max(first, Math.ceil(stop / ms - 1) * ms);
    slices.push({ from: utcTime(new Date(start).toISOString()), to: utcTime(new Date(stop).toISOString()) });
    stop = start;
  }
  return slices;
}

/** The sums over a project's runs that began in a slice. Both databases compute them from an index alone. */
function sumsOf(db: Db, projectId: string, { from, to }: Slice) {
  return db
    .selectFrom("run")
    .select((of) => [
      of.fn.countAll<Count>().as("runs"),
      countWhere(sql`reason = 'error'`).as("errors"),
      countWhere(sql`reason = 'cancelled'`).as("cancelled"),
      countWhere(sql`reason = 'interrupted'`).as("interrupted"),
      countWhere(sql`rating = 'up'`).as("up"),
      countWhere(sql`rating = 'down'`).as("down"),
      sql<Count | null>`sum(rejoins)`.as("rejoins"),
      sql<Count | null>`sum(first_token_ms)`.as("first_token_ms"),
      sql<Count>`count(first_token_ms)`.as("with_text"),
    ])
    .where("project_id", "=", projectId)
    .where("started_at", ">=", from)
    .where("started_at", "<", to)
    .executeTakeFirstOrThrow();
}

/** The sums of one day of a project; empty for a day without a run. */
function dayOfRows(rows: readonly DayRow[]): readonly DeskDay[] {
  const sum = (name: keyof SumsRow) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  const [row] = rows;
  const [runs, withText] = [sum("runs"), sum("with_text")];
  if (!row || runs === 0) return [];
  return [
    {
      day: row.day,
      projectId: row.projectId,
      runs,
      errors: sum("errors"),
      cancelled: sum("cancelled"),
      interrupted: sum("interrupted"),
      rejoins: sum("rejoins"),
      up: sum("up"),
      down: sum("down"),
      ...(withText > 0 && { firstTokenMs: Math.round(sum("first_token_ms") / withText) }),
    },
  ];
}

function byDay(one: DeskDay, other: DeskDay): number {
  return order(other.day, one.day) || order(one.projectId, other.projectId);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function countWhere(condition: ReturnType<typeof sql>) {
  return sql<Count>`sum(case when ${condition} then 1 else 0 end)`;
}
