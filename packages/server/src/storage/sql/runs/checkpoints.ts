import { sql } from "kysely";
import type { Message } from "@nitka/protocol";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import { idsIn, idsJson, jsonTable } from "../rows/json-table.ts";
import { columnsOfAnswer } from "../rows/message-row.ts";
import { RUNNING } from "../rows/running-runs.ts";
import { endColumns, endTypes } from "../rows/written-columns.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

interface Checkpoint {
  readonly runId: string;
  readonly answer: Message;
  readonly seq: number;
}

/**
 * Writes checkpoints. Those of one turn of the event loop share a transaction with a fixed number of round trips,
 * because a run that ends meanwhile waits for it.
 */
export function createCheckpoints(db: Db, dialect: SqlDialect): (checkpoint: Checkpoint) => Promise<void> {
  const write = checkpointWriter(db, dialect);
  let gathering: { readonly checkpoints: Checkpoint[]; readonly written: Promise<void> } | undefined;
  return (checkpoint) => {
    if (gathering) {
      gathering.checkpoints.push(checkpoint);
      return gathering.written;
    }
    const checkpoints = [checkpoint];
    // Lets the other checkpoints of this turn of the event loop join.
    const written = Promise.resolve().then(() => {
      gathering = undefined;
      return dialect.relaxed(db, (transaction) => write(transaction, checkpoints));
    });
    gathering = { checkpoints, written };
    return written;
  };
}

function checkpointWriter(
  db: Db,
  dialect: SqlDialect,
): (transaction: Db, checkpoints: readonly Checkpoint[]) => Promise<void> {
  const hold = compileOnce((runIds: string) => {
    const running = db
      .selectFrom("run")
      .innerJoin("thread", "thread.thread_id", "run.thread_id")
      .select(["run.run_id", "run.thread_id", "run.answer_id"])
      .where("run.status", "=", RUNNING)
      .where("run.run_id", "in", idsIn(dialect, runIds));
    // Threads that another transaction has locked are skipped: waiting while holding locks could deadlock. The result
    // may include a run that ended after this statement read it and before its thread was locked.
    return (dialect.concurrent ? running.forUpdate("thread").skipLocked() : running).compile();
  });

  const answers = jsonTable(dialect, {
    run_id: "text",
    thread_id: "text",
    answer_id: "text",
    seq: "integer",
    ...endTypes("message"),
  });

  /**
   * Changes nothing for a run that has ended: the statement checks the status again, and the thread's lock keeps it
   * stable.
   */
  const store = compileAllOnce((json: string) => {
    const rows = dialect.jsonRows(json);
    const run = dialect.table("run");
    const isRunning = sql`run.run_id = ${answers.column("run_id")} and run.status = ${RUNNING}`;
    const markRuns = sql`update ${run} set checkpoint_seq = ${answers.column("seq")} from ${rows} where ${isRunning}`;
    const columns = endColumns("message").map(({ name }) => sql`${sql.id(name)} = ${answers.column(name)}`);
    const storeAnswers = sql`
      update ${dialect.table("message")} set ${sql.join(columns)} from ${rows} join ${run} on ${isRunning}
      where message.thread_id = ${answers.column("thread_id")} and message.id = ${answers.column("answer_id")}`;
    return dialect.asOne([markRuns, storeAnswers]).map((each) => each.compile(db));
  });

  return async (transaction, checkpoints) => {
    const { rows: runs } = await transaction.executeQuery(hold(idsJson(checkpoints.map(({ runId }) => runId))));
    const byRun = new Map(checkpoints.map((checkpoint) => [checkpoint.runId, checkpoint]));
    const rows = runs.flatMap((run) => {
      const checkpoint = byRun.get(run.run_id);
      return checkpoint ? [{ ...run, seq: checkpoint.seq, ...columnsOfAnswer(checkpoint.answer) }] : [];
    });
    if (rows.length === 0) return;
    for (const statement of store(answers.json(rows))) await transaction.executeQuery(statement);
  };
}
