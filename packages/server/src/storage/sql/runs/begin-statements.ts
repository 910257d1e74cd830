/** The rows and the statements that begin a run. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Message } from "@nitka/protocol";
import { cleanJson } from "../../../clean-text.ts";
import type { BeginOptions, ExpectedCost, NewRun, Owner } from "../../storage.ts";
import type { RunTelling } from "../../webhooks.ts";
import { compileAllOnce, compileOnce } from "../compile-once.ts";
import { lockOwner, lockRows } from "../rows/lock-rows.ts";
import { columnsOfMessage } from "../rows/message-row.ts";
import { ownedThread } from "../rows/owned-thread.ts";
import { runColumns } from "../rows/run-row.ts";
import type { RunRow } from "../rows/run-row.ts";
import { RUNNING, runningOf } from "../rows/running-runs.ts";
import { writtenColumns } from "../rows/written-columns.ts";
import type { MessageTable, RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** A question and the run that will answer it. */
export interface Asked {
  readonly owner: Owner;
  readonly run: NewRun;
  readonly question: Message;
}

/** The place of a new run in its thread. */
export interface RunPlace {
  readonly at: string;
  /** Whether the question is already stored. */
  readonly isKnown: boolean;
  /** The position of the first new message. */
  readonly position: number;
  readonly cost: ExpectedCost | undefined;
  readonly telling?: RunTelling | undefined;
}

/** The rows of a run to store. */
export interface Begun {
  readonly run: RunTable;
  /** `undefined` when the question is already stored. */
  readonly question: MessageTable | undefined;
  readonly answer: MessageTable;
  readonly cost: ExpectedCost | undefined;
}

/** The state of the thread that decides about a question: messages with the question's ids, and counts. */
export interface BeginState {
  /** The role of the stored message with the question's id. */
  readonly known_role: string | null;
  readonly parent_id: string | null;
  readonly answer_id: string | null;
  readonly last_position: number | null;
  readonly running_count: number | string | null;
}

export interface BeginStatements {
  /** Locks the owner's thread. Returns no row when there is none. */
  readonly lockThread: (asked: Asked) => CompiledQuery<{ readonly thread_id: string }>;
  /** The runs of the question and the running run of its thread, latest first. */
  readonly runs: (asked: Asked) => CompiledQuery<RunRow>;
  /** Reads the other facts that decide whether a run may begin. */
  readonly readState: (asked: Asked) => CompiledQuery<BeginState>;
  readonly store: (begun: Begun) => readonly CompiledQuery[];
  /** The locks for the limits beyond the thread. The owner is locked before the thread, the project after it. */
  readonly locks: (
    asked: Asked,
    options: BeginOptions,
  ) => { readonly ofOwner: CompiledQuery | undefined; readonly ofProject: CompiledQuery | undefined };
}

export function beginStatements(db: Db, dialect: SqlDialect): BeginStatements {
  const lockThread = compileOnce(({ owner, run }: Asked) =>
    lockRows(dialect, ownedThread(db, owner, run.threadId).select("thread_id")).compile(),
  );

  const readState = compileOnce(({ owner, run, question }: Asked) =>
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
    lockThread,
    runs,
    readState,
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

/** The rows of a new run, of its empty answer, and of its question if that is new. */
export function rowsOfBegin(
  { owner, run, question }: Asked,
  { at, isKnown, position, cost, telling }: RunPlace,
): Begun {
  const { threadId, questionId, answerId } = run;
  const answer: Message = {
    id: answerId,
    role: "assistant",
    content: [],
    parentId: questionId,
    createdAt: at,
    status: { type: "running" },
  };
  const rowAt = (message: Message, place: number) => ({
    thread_id: threadId,
    position: place,
    ...columnsOfMessage(message),
  });
  const answerPosition = isKnown ? position : position + 1;
  return {
    run: {
      run_id: run.runId,
      thread_id: threadId,
      project_id: owner.projectId,
      visitor_id: owner.visitorId,
      question_id: questionId,
      answer_id: answerId,
      instance_id: run.instanceId,
      status: "running",
      position: answerPosition,
      started_at: at,
      ended_at: null,
      checkpoint_seq: 0,
      cancel_requested: 0,
      model_id: cost?.modelId ?? null,
      reserved_tokens: 0,
      input_tokens: null,
      cached_tokens: null,
      output_tokens: null,
      first_token_ms: null,
      rejoins: null,
      reason: null,
      rating: null,
      telling: telling === undefined ? null : cleanJson(telling),
    },
    question: isKnown ? undefined : rowAt({ createdAt: at, ...question }, position),
    answer: rowAt(answer, answerPosition),
    cost,
  };
}

/**
 * The inserts of the rows of a new run.
 *
 * @param thread the name of a query in the statement that has locked the thread: the rows are inserted only if it
 * returned a row, after its `last_position`
 */
export function insertsOfBegin(
  dialect: SqlDialect,
  begun: Begun,
  thread?: string,
): Readonly<Record<"run" | "question" | "answer", RawBuilder<unknown>>> {
  const insert = (table: "run" | "message", values: Readonly<Record<string, RawBuilder<unknown>>>) => {
    const names = Object.keys(values).map((name) => sql.id(name));
    const from = thread === undefined ? sql`` : sql`from ${sql.id(thread)}`;
    return sql`
      insert into ${dialect.table(table)} (${sql.join(names)}) select ${sql.join(Object.values(values))} ${from}`;
  };
  const positionAfter = (count: number) => thread !== undefined && { position: sql`last_position + ${sql.lit(count)}` };
  const message = (which: "question" | "answer", count: number) =>
    insert("message", {
      ...valuesOf("message", (name) => begun[which]?.[name]),
      ...positionAfter(count),
    });
  return {
    question: message("question", 1),
    answer: message("answer", 2),
    run: insert("run", {
      ...valuesOf("run", (name) => begun.run[name]),
      ...positionAfter(2),
      log_slot: dialect.logSlot,
      begun_ms: dialect.nowMs,
      reserved_tokens: reservedTokens(dialect, begun),
    }),
  };
}

/** The value of each column, cast to the column's type. */
function valuesOf<Table extends keyof typeof writtenColumns>(
  table: Table,
  valueOf: (name: keyof (typeof writtenColumns)[Table]) => unknown,
): Readonly<Record<string, RawBuilder<unknown>>> {
  const columns = Object.entries<{ readonly type: string }>(writtenColumns[table]);
  return Object.fromEntries(
    columns.map(([name, { type }]) => {
      const value = valueOf(name as keyof (typeof writtenColumns)[Table]);
      return [name, sql`cast(${value} as ${sql.raw(type)})`];
    }),
  );
}

/**
 * The tokens to reserve: those of the question, plus those of the previous answer's run, which cover the conversation
 * up to that answer.
 */
function reservedTokens(dialect: SqlDialect, { run, question, cost }: Begun): RawBuilder<number> {
  return sql<number>`coalesce(${cost?.inputTokens} + coalesce((
    select max(coalesce(before.input_tokens, 0) + coalesce(before.output_tokens, 0)) from ${dialect.table("run")} as before
    where before.thread_id = ${run.thread_id} and (
      before.answer_id = ${question?.parent_id}
      or before.question_id = ${run.question_id}
    )
  ), 0), 0)`;
}
