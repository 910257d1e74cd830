/** The statements that end any number of runs. */
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import { compileAllOnce, compileOnce } from "./compile-once.ts";
import type { Given } from "./compile-once.ts";
import { eventRows, insertEvents } from "./run-event-rows.ts";
import type { LoggedEvent } from "../storage.ts";
import type { EndRow } from "./end-row.ts";
import type { MessageTable, RunTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** The stored state of a run that is to end. */
export interface Endable
  extends
    Pick<RunTable, "run_id" | "thread_id" | "answer_id" | "status" | "instance_id" | "project_id" | "visitor_id">,
    Pick<RunTable, "ended_at" | "model_id" | "input_tokens" | "output_tokens">,
    Pick<MessageTable, "reason"> {
  /** Whether its thread has a later message. */
  readonly is_followed: boolean | number;
}

/** The columns of an end, and of the run that it ends. */
export type RunEndRow = EndRow & Pick<RunTable, "thread_id" | "answer_id">;

export interface EndStatements {
  /**
   * Locks the runs' threads until the transaction's end, and returns those that it has locked. A single one is waited for.
   * Of several, those that another transaction has locked are skipped: waiting with some locked could deadlock.
   */
  readonly hold: (runIds: readonly string[]) => CompiledQuery<{ readonly thread_id: string }> | undefined;
  readonly look: (runIds: readonly string[]) => CompiledQuery<Endable>;
  /** Ends the runs, stores their answers, bumps their threads. */
  readonly store: (rows: readonly RunEndRow[]) => readonly CompiledQuery[];
  /** Stores what to ask after an answer. Few answers have it, so it is no column of `store`. */
  readonly suggest: (answer: Suggesting) => CompiledQuery;
  readonly append: (events: readonly LoggedEvent[]) => CompiledQuery;
}

type Suggesting = Pick<RunTable, "thread_id" | "answer_id"> & Pick<MessageTable, "suggestions">;

export function endStatements(db: Db, dialect: SqlDialect): EndStatements {
  const ids = (items: Items, given: Given<string>) =>
    sql<string>`(select ${dialect.element(0, "text")} from ${items(given((json) => json))})`;

  const holding = (items: Items, given: Given<string>) =>
    db
      .selectFrom("thread")
      .select("thread_id")
      .where("thread_id", "in", (run) =>
        run.selectFrom("run").select("run.thread_id").where("run_id", "in", ids(items, given)),
      )
      .forUpdate();
  const holdOne = compileOnce((given: Given<string>) => holding(dialect.oneItem, given).compile());
  const holdFree = compileOnce((given: Given<string>) => holding(dialect.items, given).skipLocked().compile());

  const look = byCount(dialect, (items) =>
    compileOnce((given: Given<string>) =>
      db
        .selectFrom("run")
        .innerJoin("message", (join) =>
          join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
        )
        .select(["run.run_id", "run.thread_id", "run.answer_id", "run.status", "run.instance_id", "run.project_id"])
        .select(["run.visitor_id", "run.ended_at", "run.model_id", "run.input_tokens", "run.output_tokens"])
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
        .where("run.run_id", "in", ids(items, given))
        .compile(),
    ),
  );

  const append = byCount(dialect, (items) =>
    compileOnce((given: Given<string>) => insertEvents(dialect, items(given((events) => events))).compile(db)),
  );

  const store = byCount(dialect, (items) =>
    compileAllOnce((given: Given<Stored>) => {
      const ends = items(given((stored) => stored.ends));
      const answers = items(given((stored) => stored.answers));
      const of = (columns: readonly (keyof RunEndRow)[]) => ({
        text: (name: keyof RunEndRow) => dialect.element<string>(columns.indexOf(name), "text"),
        integer: (name: keyof RunEndRow) => dialect.element<number>(columns.indexOf(name), "integer"),
      });
      const [end, answer] = [of(endColumns), of(answerColumns)];
      const endRuns = sql`
      update ${dialect.table("run")} set status = ${end.text("outcome")}, ended_at = ${end.text("at")},
        ended_ms = ${dialect.nowMs}, checkpoint_seq = coalesce(${end.integer("seq")}, checkpoint_seq),
        model_id = coalesce(${end.text("model_id")}, model_id),
        input_tokens = coalesce(${end.integer("input_tokens")}, input_tokens),
        cached_tokens = coalesce(${end.integer("cached_tokens")}, cached_tokens),
        output_tokens = coalesce(${end.integer("output_tokens")}, output_tokens),
        first_token_ms = ${end.integer("first_token_ms")}, rejoins = ${end.integer("rejoins")}
      from ${ends} where run.run_id = ${end.text("run_id")}`;
      const storeAnswers = sql`
      update ${dialect.table("message")} set content = ${answer.text("content")}, status = ${answer.text("status")},
        reason = ${answer.text("reason")}, error = ${answer.text("error")}, code = ${answer.text("code")}
      from ${answers} where message.thread_id = ${answer.text("thread_id")} and message.id = ${answer.text("answer_id")}`;
      const bumpThreads = sql`
      update ${dialect.table("thread")} set updated_at = ${end.text("at")}
      from ${ends} where thread.thread_id = ${end.text("thread_id")} and thread.updated_at < ${end.text("at")}`;
      return dialect.asOne([endRuns, storeAnswers, bumpThreads]).map((each) => each.compile(db));
    }),
  );

  const suggest = compileOnce((given: Given<Suggesting>) =>
    db
      .updateTable("message")
      .set({ suggestions: given(({ suggestions }) => suggestions) })
      .where(
        "thread_id",
        "=",
        given(({ thread_id }) => thread_id),
      )
      .where(
        "id",
        "=",
        given(({ answer_id }) => answer_id),
      )
      .compile(),
  );

  return {
    suggest,
    hold: (runIds) => (dialect.concurrent ? (runIds.length > 1 ? holdFree : holdOne)(itemsOf(runIds)) : undefined),
    look: (runIds) => look(runIds.length)(itemsOf(runIds)),
    store: (rows) => store(rows.length)({ ends: itemsWith(endColumns, rows), answers: itemsWith(answerColumns, rows) }),
    append: (events) => {
      const rows = eventRows(events);
      return append(rows.length)(JSON.stringify(rows));
    },
  };
}

type Items = SqlDialect["items"];

/** A statement for one item, and the same for any number: see `SqlDialect["oneItem"]`. */
function byCount<Statement>(
  { items, oneItem }: SqlDialect,
  make: (items: Items) => Statement,
): (count: number) => Statement {
  const [ofOne, ofMany] = [make(oneItem), make(items)];
  return (count) => (count === 1 ? ofOne : ofMany);
}

function itemsOf(runIds: readonly string[]): string {
  return JSON.stringify(runIds.map((runId) => [runId]));
}

/** The ends and the answers as JSON. They are apart because the database parses a row again for each of its columns. */
interface Stored {
  readonly ends: string;
  readonly answers: string;
}

function itemsWith(columns: readonly (keyof RunEndRow)[], rows: readonly RunEndRow[]): string {
  return JSON.stringify(rows.map((row) => columns.map((name) => row[name])));
}

const endColumns = [
  "run_id",
  "thread_id",
  "outcome",
  "at",
  "seq",
  "model_id",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "first_token_ms",
  "rejoins",
] as const;

const answerColumns = ["thread_id", "answer_id", "content", "status", "reason", "error", "code"] as const;
