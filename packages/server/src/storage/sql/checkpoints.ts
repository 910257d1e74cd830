import type { Message } from "@nitka/protocol";
import { columnsOfAnswer } from "./message-row.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

interface Checkpoint {
  readonly runId: string;
  readonly answer: Message;
  readonly seq: number;
}

/** Writes checkpoints. Those of one turn of the event loop share a transaction. */
export function createCheckpoints(db: Db, dialect: SqlDialect): (checkpoint: Checkpoint) => Promise<void> {
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
      return dialect.relaxed(db, (transaction) => write(transaction, dialect, checkpoints));
    });
    gathering = { checkpoints, written };
    return written;
  };
}

async function write(transaction: Db, dialect: SqlDialect, checkpoints: readonly Checkpoint[]): Promise<void> {
  const running = transaction
    .selectFrom("run")
    .innerJoin("thread", "thread.thread_id", "run.thread_id")
    .select(["run.run_id", "run.thread_id", "run.answer_id"])
    .where("run.status", "=", "running")
    .where(
      "run.run_id",
      "in",
      checkpoints.map(({ runId }) => runId),
    );
  // Threads that another transaction has locked are skipped: waiting with some locked could deadlock.
  const runs = await (dialect.concurrent ? running.forUpdate("thread").skipLocked() : running).execute();
  const byRun = new Map(checkpoints.map((checkpoint) => [checkpoint.runId, checkpoint]));
  for (const { run_id, thread_id, answer_id } of runs) {
    const checkpoint = byRun.get(run_id);
    if (!checkpoint) continue;
    await transaction.updateTable("run").set({ checkpoint_seq: checkpoint.seq }).where("run_id", "=", run_id).execute();
    await transaction
      .updateTable("message")
      .set(columnsOfAnswer(checkpoint.answer))
      .where("thread_id", "=", thread_id)
      .where("id", "=", answer_id)
      .execute();
  }
}
