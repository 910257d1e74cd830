/** The statements that begin a run. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Message } from "@nitka/protocol";
import type { ExpectedCost, NewRun, Owner } from "../../storage.ts";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import type { Given } from "../compile-once.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { runColumns } from "../rows/run-row.ts";
import type { RunRow } from "../rows/run-row.ts";
import { RUNNING, runningOf } from "../rows/running-runs.ts";
import type { MessageTable, RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** A question and the run that is to answer it. */
export interface Asked {
  readonly owner: Owner;
  readonly run: NewRun;
  readonly question: Message;
}

/** What a question finds in its thread: messages with its ids, and counts. */
export interface BeginLook {
  /** The role of the message with the question's id. */
  readonly known_role: string | null;
  readonly parent_id: string | null;
  readonly answer_id: string | null;
  readonly last_position: number | null;
  readonly running_count: number | string | null;
}

/** A run that is to be stored. */
export interface Begun {
  readonly run: RunTable;
  /** `undefined` when it is stored already. */
  readonly question: MessageTable | undefined;
  readonly answer: MessageTable;
  readonly cost: ExpectedCost | undefined;
}

export interface BeginStatements {
  /** Locks the owner's thread. Returns no row when there is none. */
  readonly hold: (asked: Asked) => CompiledQuery<{ readonly thread_id: string }>;
  /** The question's runs and the running one of its thread, latest first. */
  readonly runs: (asked: Asked) => CompiledQuery<RunRow>;
  /** The other facts that decide whether a run may begin. */
  readonly look: (asked: Asked) => CompiledQuery<BeginLook>;
  readonly store: (begun: Begun) => readonly CompiledQuery[];
}

export function beginStatements(db: Db, dialect: SqlDialect): BeginStatements {
  const ofOwner = (given: Given<Asked>): Owner => ({
    projectId: given(({ owner }) => owner.projectId),
    visitorId: given(({ owner }) => owner.visitorId),
  });

  const hold = compileOnce((given: Given<Asked>) => {
    const threadId = given(({ run }) => run.threadId);
    const thread = ownedThread(db, ofOwner(given), threadId).select("thread_id");
    return (dialect.concurrent ? thread.forUpdate() : thread).compile();
  });

  const look = compileOnce((given: Given<Asked>) => {
    const threadId = given(({ run }) => run.threadId);
    const questionId = given(({ question }) => question.id);
    const parentId = given(({ question }) => question.parentId ?? null);
    const answerId = given(({ run }) => run.answerId);
    return db
      .selectNoFrom((select) => {
        const messages = select.selectFrom("message").where("thread_id", "=", threadId);
        return [
          messages.select("role").where("id", "=", questionId).as("known_role"),
          messages.select("id").where("id", "=", parentId).as("parent_id"),
          messages.select("id").where("id", "=", answerId).as("answer_id"),
          messages.select("position").orderBy("position", "desc").limit(1).as("last_position"),
          runningOf(db, ofOwner(given)).as("running_count"),
        ];
      })
      .compile();
  });

  const runs = compileOnce((given: Given<Asked>) => {
    const questionId = given(({ question }) => question.id);
    return db
      .selectFrom("run")
      .select(runColumns)
      .where(
        "thread_id",
        "=",
        given(({ run }) => run.threadId),
      )
      .where((is) => is.or([is("question_id", "=", questionId), is("status", "=", RUNNING)]))
      .orderBy("position", "desc")
      .compile();
  });

  const store = (isNew: boolean) =>
    compileAllOnce((given: Given<Begun>) => {
      const run = each(insertedRunColumns, (name) => given((begun) => begun.run[name])) as Pick<RunTable, RunColumn>;
      const message = (pick: (begun: Begun) => MessageTable | undefined) =>
        each(insertedMessageColumns, (name) => given((begun) => pick(begun)?.[name])) as MessageTable;
      const slot = { log_slot: dialect.logSlot, begun_ms: dialect.nowMs, ended_ms: null };
      const reserved_tokens = reservedTokens(dialect, given);
      const bump = db
        .updateTable("thread")
        .set({ updated_at: laterUpdate(run.started_at), head_id: run.answer_id })
        .where("thread_id", "=", run.thread_id);
      const statements = [
        ...(isNew ? [db.insertInto("message").values(message(({ question }) => question))] : []),
        db.insertInto("message").values(message(({ answer }) => answer)),
        db.insertInto("run").values({ ...run, ...slot, reserved_tokens }),
        bump,
      ];
      return dialect.asOne(statements.map((each) => sql`${each}`)).map((each) => each.compile(db));
    });
  const storeNew = store(true);
  const storeAgain = store(false);

  return { hold, runs, look, store: (begun) => (begun.question ? storeNew(begun) : storeAgain(begun)) };
}

/** A thread never moves back in time: the clock of another instance may be ahead of this one's. */
export function laterUpdate(at: string): RawBuilder<string> {
  return sql<string>`case when thread.updated_at < ${at} then ${at} else thread.updated_at end`;
}

/** The tokens to reserve: those of the question, and those of the answer before, which are the conversation up to there. */
export function reservedTokens(dialect: SqlDialect, given: Given<Begun>): RawBuilder<number> {
  const tokens = given(({ cost }) => cost?.inputTokens ?? null);
  return sql<number>`coalesce(${tokens} + coalesce((
    select max(coalesce(before.input_tokens, 0) + coalesce(before.output_tokens, 0)) from ${dialect.table("run")} as before
    where before.thread_id = ${given(({ run }) => run.thread_id)} and (
      before.answer_id = ${given(({ question }) => question?.parent_id ?? null)}
      or before.question_id = ${given(({ run }) => run.question_id)}
    )
  ), 0), 0)`;
}

function each<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Readonly<Record<Name, Value>>;
}

export const insertedMessageColumns = [
  "thread_id",
  "id",
  "position",
  "parent_id",
  "role",
  "content",
  "attachments",
  "status",
  "reason",
  "error",
  "code",
  "created_at",
] as const satisfies readonly (keyof MessageTable)[];

export const insertedRunColumns = [
  "run_id",
  "thread_id",
  "project_id",
  "visitor_id",
  "question_id",
  "answer_id",
  "instance_id",
  "status",
  "position",
  "started_at",
  "checkpoint_seq",
  "cancel_requested",
  "model_id",
] as const satisfies readonly (keyof RunTable)[];

type RunColumn = (typeof insertedRunColumns)[number];
