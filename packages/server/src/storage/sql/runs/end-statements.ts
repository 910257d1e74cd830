/** The statements that end any number of runs. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Message } from "@nitka/protocol";
import type { EndOptions } from "../../storage.ts";
import type { UsedTokens } from "../../usage.ts";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import { idsIn, idsJson, jsonTable } from "../rows/json-table.ts";
import { eventRows, insertEvents } from "../rows/run-event-rows.ts";
import { columnsOfAnswer } from "../rows/message-row.ts";
import { columnsOfUsed } from "../rows/run-row.ts";
import { endColumns, endTypes } from "../rows/written-columns.ts";
import type { EndColumnName, EndValues } from "../rows/written-columns.ts";
import type { MessageTable, RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { usageStatements } from "../usage/add-usage.ts";
import type { UsageEntry } from "../usage/add-usage.ts";
import { utcTime } from "../utc-time.ts";
import { spentNotices } from "../usage/spent-notices.ts";
import type { Spending } from "../usage/spent-notices.ts";
import { endedNotices, webhookInserts } from "../webhooks/webhook-rows.ts";
import type { NewWebhookRow } from "../webhooks/webhook-rows.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** The stored state of a run before its end. */
export interface Endable
  extends
    Pick<RunTable, "run_id" | "thread_id" | "answer_id" | "status" | "instance_id" | "project_id" | "visitor_id">,
    Pick<RunTable, "ended_at" | "checkpoint_seq" | "model_id" | "input_tokens" | "output_tokens">,
    Pick<MessageTable, "reason"> {
  /** Whether its thread has a later message. */
  readonly is_followed: boolean | number;
}

/** An end to store, with the state of its run before it. */
export type EndedRun = RunEnd & {
  readonly run: Endable;
  /** Whether the end counts as a change of its thread, which then moves to the top of the list. */
  readonly isChange: boolean;
};

export interface EndStatements {
  /** Locks the thread of a run until the end of the transaction; waits while another transaction has locked it. */
  readonly lockThread: (runId: string) => CompiledQuery | undefined;
  /**
   * Locks the threads of runs until the end of the transaction, and returns the locked ones. Threads that another
   * transaction has locked are skipped: waiting while holding locks could deadlock.
   */
  readonly lockFreeThreads: (runIds: readonly string[]) => CompiledQuery<{ readonly thread_id: string }> | undefined;
  readonly read: (runIds: readonly string[]) => CompiledQuery<Endable>;
  /**
   * Ends the runs, stores their answers and the tails of their logs, bumps their threads and counts their tokens. The
   * transaction must have locked the threads.
   */
  readonly write: (ends: readonly EndedRun[]) => readonly CompiledQuery[];
}

export function endStatements(db: Db, dialect: SqlDialect): EndStatements {
  const locking = (runIds: RawBuilder<string>) =>
    db
      .selectFrom("thread")
      .select("thread_id")
      .where("thread_id", "in", (run) => run.selectFrom("run").select("run.thread_id").where("run_id", "in", runIds))
      .forUpdate();
  const lockThread = compileOnce((runIds: string) => locking(idsIn(dialect, runIds, dialect.oneJsonRow)).compile());
  const lockFreeThreads = compileOnce((runIds: string) => locking(idsIn(dialect, runIds)).skipLocked().compile());

  const read = forOneOrMany(dialect, (rows) =>
    compileOnce((runIds: string) =>
      db
        .selectFrom("run")
        .innerJoin("message", (join) =>
          join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
        )
        .select(["run.run_id", "run.thread_id", "run.answer_id", "run.status", "run.instance_id", "run.project_id"])
        .select(["run.visitor_id", "run.ended_at", "run.checkpoint_seq", "run.model_id"])
        .select(["run.input_tokens", "run.output_tokens"])
        .select("message.reason")
        .select((run) =>
          run
            .exists(
              run
                .selectFrom("message as later")
                .select("later.id")
                .whereRef("later.thread_id", "=", "run.thread_id")
                .whereRef("later.position", ">", "run.position"),
            )
            .as("is_followed"),
        )
        .where("run.run_id", "in", idsIn(dialect, runIds, rows))
        .compile(),
    ),
  );

  const append = forOneOrMany(dialect, (rows) =>
    compileOnce((events: string) => insertEvents(dialect, rows(events)).compile(db)),
  );

  // Ends and answers are separate lists, because the database parses a row again for each of its columns.
  const ends = jsonTable(dialect, { run_id: "text", thread_id: "text", changed_at: "text", ...endTypes("run") });
  const answers = jsonTable(dialect, { thread_id: "text", answer_id: "text", ...endTypes("message") });
  const store = forOneOrMany(dialect, (rows) =>
    compileAllOnce((stored: { readonly ends: string; readonly answers: string }) => {
      const [endRows, answerRows] = [rows(stored.ends), rows(stored.answers)];
      const endRuns = sql`
        update ${dialect.table("run")} set ${setEnd("run", ends.column)}, ended_ms = ${dialect.nowMs}
        from ${endRows} where run.run_id = ${ends.column("run_id")}`;
      const storeAnswers = sql`
        update ${dialect.table("message")} set ${setEnd("message", answers.column)} from ${answerRows}
        where message.thread_id = ${answers.column("thread_id")} and message.id = ${answers.column("answer_id")}`;
      const changedAt = ends.column("changed_at");
      const bumpThreads = sql`
        update ${dialect.table("thread")} set updated_at = ${changedAt} from ${endRows}
        where thread.thread_id = ${ends.column("thread_id")} and thread.updated_at < ${changedAt}`;
      return dialect.asOne([endRuns, storeAnswers, bumpThreads]).map((each) => each.compile(db));
    }),
  );
  const addUsage = usageStatements(db, dialect);
  /** An answer that had ended before now has other words. Resetting `searched_at` makes a search read them again. */
  const forgetWords = (threadIds: readonly string[]) =>
    threadIds.map((id) => db.updateTable("thread").set({ searched_at: null }).where("thread_id", "=", id).compile());
  const insertTold = webhookInserts(db, dialect);

  return {
    lockThread: (runId) => (dialect.concurrent ? lockThread(idsJson([runId])) : undefined),
    lockFreeThreads: (runIds) => (dialect.concurrent ? lockFreeThreads(idsJson(runIds)) : undefined),
    read: (runIds) => read(runIds.length)(idsJson(runIds)),
    write: (ended) => {
      if (ended.length === 0) return [];
      const rows = ended.map(rowsOf);
      const tails = eventRows(ended.flatMap(({ log }) => log?.tail ?? []));
      return [
        ...store(rows.length)({
          ends: ends.json(rows.map(({ end }) => end)),
          answers: answers.json(rows.map(({ answer }) => answer)),
        }),
        ...(tails.length > 0 ? [append(tails.length)(JSON.stringify(tails))] : []),
        ...addUsage(ended.flatMap(usageOf)),
        ...forgetWords(ended.filter(({ run }) => run.status !== "running").map(({ run }) => run.thread_id)),
        ...insertTold(ended.flatMap(toldRows)),
        ...spentNotices(db, dialect, ended.flatMap(spendingsOf)),
      ];
    },
  };
}

type JsonRows = SqlDialect["jsonRows"];

/** The same statement in two versions, for one row and for any number: see `SqlDialect["oneJsonRow"]`. */
function forOneOrMany<Statement>(
  { jsonRows, oneJsonRow }: SqlDialect,
  make: (rows: JsonRows) => Statement,
): (count: number) => Statement {
  const [forOne, forMany] = [make(oneJsonRow), make(jsonRows)];
  return (count) => (count === 1 ? forOne : forMany);
}

/** The columns that an end writes into the row of its run, and into the row of its answer. */
export interface EndRow {
  readonly run: EndValues<"run"> & { readonly ended_at: string };
  readonly message: EndValues<"message">;
}

export function rowOfEnd({ answer, at, log, used = [], figures }: RunEnd): EndRow {
  const { model_id = null, input_tokens = null, cached_tokens = null, output_tokens = null } = columnsOfUsed(used);
  const message = columnsOfAnswer(answer);
  return {
    run: {
      status: answer.status?.type === "complete" ? "complete" : "incomplete",
      ended_at: utcTime(at),
      checkpoint_seq: log?.seq ?? null,
      model_id,
      input_tokens,
      cached_tokens,
      output_tokens,
      first_token_ms: figures?.firstTokenMs ?? null,
      rejoins: figures?.rejoins ?? null,
      reason: message.reason,
    },
    message,
  };
}

/** An end's assignments in the SET of an update. */
export function setEnd<Table extends "run" | "message">(
  table: Table,
  valueOf: (name: EndColumnName<Table>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    endColumns(table).map(({ name, atEnd }) => {
      const value = valueOf(name);
      return sql`${sql.id(name)} = ${atEnd === "kept" ? sql`coalesce(${value}, ${sql.id(table, name)})` : value}`;
    }),
  );
}

/** The rows of an end for the two lists of `store`. */
function rowsOf(ended: EndedRun) {
  const { run_id, thread_id, answer_id } = ended.run;
  const { run, message } = rowOfEnd(ended);
  return {
    end: { run_id, thread_id, changed_at: ended.isChange ? run.ended_at : null, ...run },
    answer: { thread_id, answer_id, ...message },
  };
}

/** The webhook events of an end. */
function toldRows({ run, answer, used, at, telling }: EndedRun): readonly NewWebhookRow[] {
  if (!telling) return [];
  const { project_id, visitor_id, thread_id, answer_id } = run;
  const ids = { project_id, visitor_id, thread_id, message_id: answer_id, tool_call_id: null };
  return endedNotices(telling, answer, used).map((notice) =>
    Object.assign({ type: "run.ended", at: utcTime(at) }, ids, notice),
  );
}

/** The spent tokens of an end, if webhooks are to be notified when a budget is used up. */
function spendingsOf({ run, at, telling }: EndedRun): readonly Spending[] {
  return telling?.spent ? [{ telling: telling.spent, visitorId: run.visitor_id, at }] : [];
}

/** The tokens of an answer. For a run that was interrupted as stale, its estimate is subtracted. */
function usageOf({ run, used = [], at }: EndedRun): readonly UsageEntry[] {
  const owner = { projectId: run.project_id, visitorId: run.visitor_id };
  const now: UsageEntry = { owner, visitorKnown: true, used, at };
  if (run.ended_at === null || run.model_id === null || used.length === 0) return [now];
  const estimate: UsedTokens = {
    modelId: run.model_id,
    purpose: "answer",
    calls: -1,
    estimatedCalls: -1,
    inputTokens: -(run.input_tokens ?? 0),
    cachedInputTokens: 0,
    outputTokens: -(run.output_tokens ?? 0),
  };
  return [{ ...now, used: [estimate], at: run.ended_at }, now];
}
