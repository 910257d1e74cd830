/** The statements that begin a run. */
import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { BeginOptions } from "../../storage.ts";
import { insertsOfBegin } from "./begin-rows.ts";
import type { Asked, Begun } from "./begin-rows.ts";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import { lockOwner, lockRows } from "../rows/lock-rows.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { runColumns } from "../rows/run-row.ts";
import type { RunRow } from "../rows/run-row.ts";
import { RUNNING, runningOf } from "../rows/running-runs.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** The state of the thread that decides about a question: messages with the question's ids, and counts. */
export interface BeginLook {
  /** The role of the stored message with the question's id. */
  readonly known_role: string | null;
  readonly parent_id: string | null;
  readonly answer_id: string | null;
  readonly last_position: number | null;
  readonly running_count: number | string | null;
}

export interface BeginStatements {
  /** Locks the owner's thread. Returns no row when there is none. */
  readonly hold: (asked: Asked) => CompiledQuery<{ readonly thread_id: string }>;
  /** The runs of the question and the running run of its thread, latest first. */
  readonly runs: (asked: Asked) => CompiledQuery<RunRow>;
  /** Reads the other facts that decide whether a run may begin. */
  readonly look: (asked: Asked) => CompiledQuery<BeginLook>;
  readonly store: (begun: Begun) => readonly CompiledQuery[];
  /** The locks for the limits beyond the thread. The owner is locked before the thread, the project after it. */
  readonly locks: (
    asked: Asked,
    options: BeginOptions,
  ) => { readonly ofOwner: CompiledQuery | undefined; readonly ofProject: CompiledQuery | undefined };
}

export function beginStatements(db: Db, dialect: SqlDialect): BeginStatements {
  const hold = compileOnce(({ owner, run }: Asked) =>
    lockRows(dialect, ownedThread(db, owner, run.threadId).select("thread_id")).compile(),
  );

  const look = compileOnce(({ owner, run, question }: Asked) =>
    db
      .selectNoFrom((select) => {
        const messages = select.selectFrom("message").where("thread_id", "=", run.threadId);
        return [
          messages.select("role").where("id", "=", question.id).as("known_role"),
          messages
            .select("id")
            .where("id", "=", question.parentId ?? null)
            .as("parent_id"),
          messages.select("id").where("id", "=", run.answerId).as("answer_id"),
          messages.select("position").orderBy("position", "desc").limit(1).as("last_position"),
          runningOf(db, owner).as("running_count"),
        ];
      })
      .compile(),
  );

  const runs = compileOnce(({ run, question }: Asked) =>
    db
      .selectFrom("run")
      .select(runColumns)
      .where("thread_id", "=", run.threadId)
      .where((is) => is.or([is("question_id", "=", question.id), is("status", "=", RUNNING)]))
      .orderBy("position", "desc")
      .compile(),
  );

  const store = (isNew: boolean) =>
    compileAllOnce((begun: Begun) => {
      const { question, answer, run } = insertsOfBegin(dialect, begun);
      const bump = bumpedThread(db, begun).where("thread_id", "=", begun.run.thread_id);
      const statements = [...(isNew ? [question] : []), answer, run, sql`${bump}`];
      return dialect.asOne(statements).map((each) => each.compile(db));
    });
  const storeNew = store(true);
  const storeAgain = store(false);

  return {
    hold,
    runs,
    look,
    store: (begun) => (begun.question ? storeNew(begun) : storeAgain(begun)),
    locks: ({ owner }, { limit = null, budget }) => {
      const perVisitor = limit !== null || typeof budget?.visitorTokens === "number";
      const perProject = typeof budget?.projectTokens === "number";
      return {
        ofOwner: perVisitor ? lockOwner(dialect, owner)?.compile(db) : undefined,
        // Questions of one project wait for each other here. A transaction that holds this lock waits for no other
        // lock.
        ofProject: perProject ? dialect.lock(JSON.stringify(["tokens", owner.projectId]))?.compile(db) : undefined,
      };
    },
  };
}

/**
 * The update that moves a thread to the top of the list and shows the new answer. The caller adds the condition on the
 * thread.
 */
export function bumpedThread(db: Db, { run: { started_at: at, answer_id } }: Begun) {
  return db.updateTable("thread").set({
    // `updated_at` never decreases: the clock of another instance may be ahead of this one's.
    updated_at: sql<string>`case when thread.updated_at < ${at} then ${at} else thread.updated_at end`,
    head_id: answer_id,
  });
}
