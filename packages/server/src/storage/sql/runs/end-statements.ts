/** The statements that end any number of runs. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import type { Given } from "../compile-once.ts";
import { eventRows, insertEvents } from "../rows/run-event-rows.ts";
import type { LoggedEvent } from "../../storage.ts";
import { answerEndColumns, runEndColumns } from "./end-row.ts";
import type { EndColumn, EndRow } from "./end-row.ts";
import type { MessageTable, RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The stored state of a run that is to end. */
export interface Endable
  extends
    Pick<RunTable, "run_id" | "thread_id" | "answer_id" | "status" | "instance_id" | "project_id" | "visitor_id">,
    Pick<RunTable, "ended_at" | "checkpoint_seq" | "model_id" | "input_tokens" | "output_tokens">,
    Pick<MessageTable, "reason"> {
  /** Whether its thread has a later message. */
  readonly is_followed: boolean | number;
}

/** The values of an end, and of the run that it ends. */
export type RunEndRow = EndRow &
  Pick<RunTable, "thread_id" | "answer_id"> & {
    /** When its thread was changed by it; `null` where that is no change of the thread. */
    readonly changed_at: string | null;
  };

export interface EndStatements {
  /**
   * Locks the runs' threads until the transaction's end, and returns those that it has locked. A single one is waited for.
   * Of several, those that another transaction has locked are skipped: waiting with some locked could deadlock.
   */
  readonly hold: (runIds: readonly string[]) => CompiledQuery<{ readonly thread_id: string }> | undefined;
  /** The same, and none is waited for. */
  readonly holdFree: (runIds: readonly string[]) => CompiledQuery<{ readonly thread_id: string }> | undefined;
  readonly look: (runIds: readonly string[]) => CompiledQuery<Endable>;
  /** Ends the runs, stores their answers, bumps their threads. */
  readonly store: (rows: readonly RunEndRow[]) => readonly CompiledQuery[];
  readonly append: (events: readonly LoggedEvent[]) => CompiledQuery;
}

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
        value: ({ from, type }: EndColumn) =>
          dialect.element(
            columns.findIndex((name) => name === from),
            type,
          ),
      });
      const [end, answer] = [of(namesInEnds), of(namesInAnswers)];
      const endRuns = sql`
      update ${dialect.table("run")} set ${setEnd("run", runEndColumns, end.value)}, ended_ms = ${dialect.nowMs}
      from ${ends} where run.run_id = ${end.text("run_id")}`;
      const storeAnswers = sql`
      update ${dialect.table("message")} set ${setEnd("message", answerEndColumns, answer.value)}
      from ${answers} where message.thread_id = ${answer.text("thread_id")} and message.id = ${answer.text("answer_id")}`;
      const bumpThreads = sql`
      update ${dialect.table("thread")} set updated_at = ${end.text("changed_at")}
      from ${ends} where thread.thread_id = ${end.text("thread_id")} and thread.updated_at < ${end.text("changed_at")}`;
      return dialect.asOne([endRuns, storeAnswers, bumpThreads]).map((each) => each.compile(db));
    }),
  );

  return {
    hold: (runIds) => (dialect.concurrent ? (runIds.length > 1 ? holdFree : holdOne)(itemsOf(runIds)) : undefined),
    holdFree: (runIds) => (dialect.concurrent ? holdFree(itemsOf(runIds)) : undefined),
    look: (runIds) => look(runIds.length)(itemsOf(runIds)),
    store: (rows) =>
      store(rows.length)({ ends: itemsWith(namesInEnds, rows), answers: itemsWith(namesInAnswers, rows) }),
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

const namesInEnds = ["run_id", "thread_id", "changed_at", ...runEndColumns.map(({ from }) => from)] as const;
const namesInAnswers = ["thread_id", "answer_id", ...answerEndColumns.map(({ from }) => from)] as const;

/** The columns of an end in the SET of an update. */
export function setEnd(
  table: "run" | "message",
  columns: readonly EndColumn[],
  value: (column: EndColumn) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    columns.map((each) => {
      const stored = sql.id(table, each.column);
      return sql`${sql.id(each.column)} = ${each.kept ? sql`coalesce(${value(each)}, ${stored})` : value(each)}`;
    }),
  );
}
