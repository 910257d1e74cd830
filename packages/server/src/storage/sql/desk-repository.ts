import { sql } from "kysely";
import type { DeskDay, DeskRun, DeskRunStatus, DeskSpan, DeskStorage } from "../desk.ts";
import { statusOfRow } from "./message-row.ts";
import { notesOfRow } from "./message-notes.ts";
import { runColumns, runOfRow } from "./run-row.ts";
import type { RunRow } from "./run-row.ts";
import type { MessageTable, RunTable, ThreadTable } from "./schema.ts";
import type { Db } from "./sql-dialect.ts";
import { utcDay, utcTime } from "./utc-time.ts";

export function deskRepository(db: Db): DeskStorage {
  return {
    runs: async ({ status, rating, before, limit, ...span }) => {
      if (span.projectIds.length === 0) return [];
      let query = runsIn(db, span)
        .select(runColumns)
        .select(deskColumns)
        .orderBy("run.started_at", "desc")
        .orderBy("run.run_id", "desc")
        .limit(limit);
      if (status === "running" || status === "complete") query = query.where("run.status", "=", status);
      else if (status !== undefined) query = query.where("message.reason", "=", status satisfies DeskRunStatus);
      if (rating === "any") query = query.where("message.rating", "is not", null);
      else if (rating !== undefined) query = query.where("message.rating", "=", rating);
      if (before !== undefined) {
        const at = utcTime(before.startedAt);
        query = query.where((is) =>
          is.or([
            is("run.started_at", "<", at),
            is.and([is("run.started_at", "=", at), is("run.run_id", "<", before.runId)]),
          ]),
        );
      }
      return (await query.execute()).map(deskRunOfRow);
    },

    run: async (runId) => {
      const row = await runs(db)
        .select(runColumns)
        .select(deskColumns)
        .where("run.run_id", "=", runId)
        .executeTakeFirst();
      return row && deskRunOfRow(row);
    },

    ownerOf: async (threadId) => {
      const row = await db
        .selectFrom("thread")
        .select(["project_id", "visitor_id"])
        .where("thread_id", "=", threadId)
        .where("archived_at", "is", null)
        .executeTakeFirst();
      return row && { projectId: row.project_id, visitorId: row.visitor_id };
    },

    days: async (span) => {
      if (span.projectIds.length === 0) return [];
      const day = sql<string>`substr(run.started_at, 1, 10)`;
      const rows = await runsIn(db, span)
        .select(day.as("day"))
        .select("run.project_id")
        .select((of) => [
          of.fn.countAll<Count>().as("runs"),
          countWhere(sql`message.reason = 'error'`).as("errors"),
          countWhere(sql`message.reason = 'cancelled'`).as("cancelled"),
          countWhere(sql`message.reason = 'interrupted'`).as("interrupted"),
          countWhere(sql`message.rating = 'up'`).as("up"),
          countWhere(sql`message.rating = 'down'`).as("down"),
          sql<Count | null>`sum(run.rejoins)`.as("rejoins"),
          sql<Count | null>`avg(run.first_token_ms)`.as("first_token_ms"),
        ])
        .groupBy([day, "run.project_id"])
        .orderBy(day, "desc")
        .orderBy("run.project_id")
        .execute();
      return rows.map(dayOfRow);
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
        // The span ends before `to`, so its last day is the one of the moment before.
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
  "run.first_token_ms",
  "run.rejoins",
  "message.status as answer_status",
  "message.reason",
  "message.error",
  "message.code",
  "message.rating",
  "message.rating_reason",
] as const;

type DeskRow = RunRow &
  Pick<ThreadTable, "project_id" | "visitor_id" | "title" | "archived_at"> &
  Pick<RunTable, "first_token_ms" | "rejoins"> &
  Pick<MessageTable, "reason" | "error" | "code" | "rating" | "rating_reason"> & {
    readonly answer_status: MessageTable["status"];
  };

function deskRunOfRow(row: DeskRow): DeskRun {
  const { feedback } = notesOfRow({ ...row, suggestions: null });
  return {
    owner: { projectId: row.project_id, visitorId: row.visitor_id },
    run: runOfRow(row),
    status: statusOfRow({ ...row, status: row.answer_status }) ?? { type: "complete" },
    ...(row.title !== null && { title: row.title }),
    isArchived: row.archived_at !== null,
    ...(feedback && { feedback }),
    ...(row.first_token_ms !== null && { firstTokenMs: row.first_token_ms }),
    ...(row.rejoins !== null && { rejoins: row.rejoins }),
  };
}

interface DayRow {
  readonly day: string;
  readonly project_id: string;
  readonly runs: Count;
  readonly errors: Count;
  readonly cancelled: Count;
  readonly interrupted: Count;
  readonly up: Count;
  readonly down: Count;
  readonly rejoins: Count | null;
  readonly first_token_ms: Count | null;
}

function dayOfRow(row: DayRow): DeskDay {
  return {
    day: row.day,
    projectId: row.project_id,
    runs: Number(row.runs),
    errors: Number(row.errors),
    cancelled: Number(row.cancelled),
    interrupted: Number(row.interrupted),
    rejoins: Number(row.rejoins ?? 0),
    up: Number(row.up),
    down: Number(row.down),
    ...(row.first_token_ms !== null && { firstTokenMs: Math.round(Number(row.first_token_ms)) }),
  };
}

function runs(db: Db) {
  return db
    .selectFrom("run")
    .innerJoin("thread", "thread.thread_id", "run.thread_id")
    .innerJoin("message", (join) =>
      join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
    );
}

function runsIn(db: Db, { projectIds, from, to }: DeskSpan) {
  return runs(db)
    .where("run.project_id", "in", projectIds)
    .where("run.started_at", ">=", utcTime(from))
    .where("run.started_at", "<", utcTime(to));
}

function countWhere(condition: ReturnType<typeof sql>) {
  return sql<Count>`sum(case when ${condition} then 1 else 0 end)`;
}
