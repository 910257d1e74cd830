import { sql } from "kysely";
import type { Message } from "@nitka/protocol";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import type { Given } from "../compile-once.ts";
import { columnsOfAnswer } from "../rows/message-row.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

interface Checkpoint {
  readonly runId: string;
  readonly answer: Message;
  readonly seq: number;
}

/**
 * Writes checkpoints. Those of one turn of the event loop share a transaction, whose number of round trips does not grow
 * with theirs: an answer that ends meanwhile waits for it.
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
  const hold = compileOnce((given: Given<string>) => {
    const runIds = sql<string>`(select ${dialect.element(0, "text")} from ${dialect.items(given((json) => json))})`;
    const running = db
      .selectFrom("run")
      .innerJoin("thread", "thread.thread_id", "run.thread_id")
      .select(["run.run_id", "run.thread_id", "run.answer_id"])
      .where("run.status", "=", RUNNING)
      .where("run.run_id", "in", runIds);
    // Threads that another transaction has locked are skipped: waiting with some locked could deadlock. A run that ends
    // after this statement has looked at it, and before its thread is locked, is still among them.
    return (dialect.concurrent ? running.forUpdate("thread").skipLocked() : running).compile();
  });

  /** Changes nothing of a run that has ended: this statement looks again, and the thread's lock keeps the run as it is. */
  const store = compileAllOnce((given: Given<string>) => {
    const rows = dialect.items(given((json) => json));
    const text = (index: number) => dialect.element<string>(index, "text");
    const markRuns = sql`
      update ${dialect.table("run")} set checkpoint_seq = ${dialect.element<number>(3, "integer")}
      from ${rows} where run.run_id = ${text(0)} and run.status = ${RUNNING}`;
    const storeAnswers = sql`
      update ${dialect.table("message")} set content = ${text(4)}, status = ${text(5)}, reason = ${text(6)},
        error = ${text(7)}, code = ${text(8)}, suggestions = ${text(9)}
      from ${rows} join ${dialect.table("run")} on run.run_id = ${text(0)} and run.status = ${RUNNING}
      where message.thread_id = ${text(1)} and message.id = ${text(2)}`;
    return dialect.asOne([markRuns, storeAnswers]).map((each) => each.compile(db));
  });

  return async (transaction, checkpoints) => {
    const ids = JSON.stringify(checkpoints.map(({ runId }) => [runId]));
    const { rows: runs } = await transaction.executeQuery(hold(ids));
    const byRun = new Map(checkpoints.map((checkpoint) => [checkpoint.runId, checkpoint]));
    const rows = runs.flatMap(({ run_id, thread_id, answer_id }) => {
      const checkpoint = byRun.get(run_id);
      if (!checkpoint) return [];
      const { content, status, reason, error, code, suggestions } = columnsOfAnswer(checkpoint.answer);
      return [[run_id, thread_id, answer_id, checkpoint.seq, content, status, reason, error, code, suggestions]];
    });
    if (rows.length === 0) return;
    for (const statement of store(JSON.stringify(rows))) await transaction.executeQuery(statement);
  };
}
