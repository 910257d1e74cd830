/** Begins a run with a single statement. Only Postgres can do this: there one statement can write several tables. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { attachmentIdsOf } from "@nitka/protocol/message";
import { errorCode } from "../../error-code.ts";
import type { BeginOptions, BeginRun } from "../../storage.ts";
import type { TokenBudget } from "../../usage.ts";
import { bumpedThread, insertsOfBegin, rowsOfBegin } from "./begin-statements.ts";
import type { Asked, BeginStatements, Begun } from "./begin-statements.ts";
import { compileOnce } from "../compile-once.ts";
import { ownedById } from "../rows/owned-thread.ts";
import { runOfRow } from "../rows/run-row.ts";
import { RUNNING, runningOf } from "../rows/running-runs.ts";
import { spentTokens } from "../usage/spent-budget.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inOneTrip } from "./two-trips.ts";
import { utcDay, utcTime } from "../utc-time.ts";

interface Values extends Begun {
  readonly limit: number | null;
  readonly budget: TokenBudget | undefined;
  readonly day: string;
}

/**
 * Makes a function that begins the run of a new question without attachments. It resolves to `undefined` when no run
 * was begun: a rule forbids the run, or another question entered the thread at the same moment.
 *
 * The statement may have waited for the thread, so what it has read may be out of date. In this case a unique index
 * refuses the insert: a thread has one running run, and one message at each position. Limits beyond the thread need
 * locks that are taken before the statement reads, in the same round trip.
 */
export function beginsAtOnce(
  db: Db,
  dialect: SqlDialect,
  { lockThread, locks }: Pick<BeginStatements, "lockThread" | "locks">,
): (asked: Asked, options: BeginOptions) => Promise<BeginRun | undefined> {
  const unlimited = compileOnce((values: Values) => beginStatement(db, dialect, values, []).compile(db));
  const limited = compileOnce((values: Values) =>
    beginStatement(db, dialect, values, limitConditions(db, values)).compile(db),
  );

  async function rowsOf(asked: Asked, options: BeginOptions, values: Values): Promise<readonly unknown[]> {
    const { ofOwner, ofProject } = locks(asked, options);
    if (!ofOwner && !ofProject) return (await db.executeQuery(unlimited(values))).rows;
    // The project is locked after the thread, as in the other transactions.
    const taken = [ofOwner, ofProject && lockThread(asked), ofProject].filter((lock) => lock !== undefined);
    const results = await inOneTrip(db, dialect, [...taken, limited(values)]);
    return results.at(-1) ?? [];
  }

  return async (asked, options) => {
    if (options.regenerate || attachmentIdsOf(asked.question).length > 0) return undefined;
    const { at, cost, limit = null, budget, telling } = options;
    const rows = rowsOfBegin(asked, { at: utcTime(at), isKnown: false, position: 0, cost, telling });
    const stored = await rowsOf(asked, options, { ...rows, limit, budget, day: utcDay(at) }).catch(noneIfRefused);
    return stored.length > 0 ? { outcome: "begun", run: runOfRow(rows.run) } : undefined;
  };
}

/** Postgres' code unique_violation. */
const NOT_UNIQUE = "23505";

function noneIfRefused(error: unknown): readonly never[] {
  if (errorCode(error) === NOT_UNIQUE) return [];
  throw error;
}

/**
 * The statement that bumps the thread and stores the run, the question and the empty answer. Returns a row if it stored
 * them.
 */
function beginStatement(
  db: Db,
  dialect: SqlDialect,
  values: Values,
  conditions: readonly RawBuilder<boolean>[],
): RawBuilder<unknown> {
  const message = dialect.table("message");
  const { thread_id: threadId, question_id: questionId, answer_id: answerId } = values.run;
  const parentId = values.question?.parent_id;
  const bump = bumpedThread(db, values)
    .where(ownedById(ownerOf(values), threadId))
    .where(
      sql<boolean>`not exists (select from ${message} where thread_id = ${threadId} and id in (${questionId}, ${answerId}))`,
    )
    .where(sql<boolean>`${questionId}::text <> ${answerId}`)
    .where(
      sql<boolean>`(${parentId}::text is null
        or exists (select from ${message} where thread_id = ${threadId} and id = ${parentId}))`,
    )
    .where(
      sql<boolean>`not exists (select from ${dialect.table("run")} where thread_id = ${threadId} and status = ${RUNNING})`,
    )
    .where((is) => is.and(conditions))
    .returning(
      sql<number>`(select coalesce(max(position), 0) from ${message} where thread_id = ${threadId})`.as(
        "last_position",
      ),
    );
  const { question, answer, run } = insertsOfBegin(dialect, values, "bumped");
  return sql`with bumped as (${bump}), asked as (${question}), answered as (${answer}) ${run} returning run_id`;
}

/** The conditions for the limits of the owner and the project. */
function limitConditions(db: Db, values: Values): readonly RawBuilder<boolean>[] {
  const { limit, budget, day } = values;
  const owner = ownerOf(values);
  const spent = spentTokens(db, owner, day);
  const below = (sum: RawBuilder<unknown>, most: number | null | undefined) =>
    sql<boolean>`(${most}::numeric is null or (${sum}) < ${most}::numeric)`;
  return [
    below(sql`${runningOf(db, owner)}`, limit),
    below(spent.visitor, budget?.visitorTokens),
    below(spent.project, budget?.projectTokens),
  ];
}

function ownerOf({ run }: Values) {
  return { projectId: run.project_id, visitorId: run.visitor_id };
}
