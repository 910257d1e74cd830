/** Ends runs with a single statement. Only Postgres can do this: there one statement can write several tables. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import { addSums, shardOf, usageKeys, usageRow } from "../usage/add-usage.ts";
import { countColumns, countTypes, namesOf } from "../usage/usage-counts.ts";
import { compileOnce } from "../compile-once.ts";
import { rowOfEnd, setEnd } from "./end-statements.ts";
import type { RunEnd } from "./end-statements.ts";
import { eventRows, insertEvents } from "../rows/run-event-rows.ts";
import { endedNotices, insertWebhookEvents } from "../webhooks/webhook-rows.ts";
import { RUNNING } from "../rows/running-runs.ts";
import { endColumns } from "../rows/written-columns.ts";
import type { RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/**
 * The name of an end's column in `asked`. The prefix is needed because a run and its answer share some column names.
 */
const askedName = (table: "run" | "message", name: string) => `${table}_${name}`;

const askedColumns = (["run", "message"] as const).flatMap((table) =>
  endColumns(table).map(({ name, type }) => sql`${sql.id(askedName(table, name))} ${sql.raw(type)}`),
);

const setAsked = (table: "run" | "message") =>
  setEnd(table, (name: string) => sql`asked.${sql.id(askedName(table, name))}`);

/** The columns of `counted`: keys and counts of usage. The project comes from the run. Text sorts in byte order. */
const { project_id: _, ...keyTypes } = usageKeys.project_usage;
const countedColumns = Object.entries({ ...keyTypes, ...countTypes }).map(
  ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === "text" ? `text collate "C"` : type)}`,
);

/** One record of `asked`. */
function askedOf(end: RunEnd): Readonly<Record<string, unknown>> {
  const { run, message } = rowOfEnd(end);
  const named = (table: "run" | "message", values: object) =>
    Object.entries(values).map(([name, value]) => [askedName(table, name), value]);
  return { run_id: end.runId, ...Object.fromEntries([...named("run", run), ...named("message", message)]) };
}

/** JSON lists. `ends` is a single object in the statement for one end. */
interface Lists {
  readonly ends: string;
  readonly tails: string;
  readonly used: string;
  /** The webhook events. */
  readonly told: string;
}

/**
 * Makes the statement that ends the given runs that are running, and returns those. The other runs stay unchanged.
 *
 * It locks the threads first, as every transaction does, and leaves out threads that another transaction has locked:
 * waiting while holding locks could deadlock. What it reads may be older than its locks, but its updates are safe:
 * Postgres checks the condition of an update again on a row that has changed meanwhile.
 */
export function endsAtOnce(
  db: Db,
  dialect: SqlDialect,
): (ends: readonly RunEnd[]) => CompiledQuery<Pick<RunTable, "run_id">> {
  // Postgres plans for one row of `json_to_record`, and for a hundred of `json_to_recordset`.
  const making = (record: "json_to_record" | "json_to_recordset", isTold: boolean) =>
    compileOnce((lists: Lists) =>
      endAll(dialect, sql`${sql.raw(record)}(${lists.ends}::json)`, lists, isTold).compile(db),
    );
  const endOne = making("json_to_record", false);
  const endMany = making("json_to_recordset", false);
  // The ends of projects without webhooks use a statement without the webhook step.
  const endAndTell = making("json_to_recordset", true);
  return (ends) => {
    const rows = ends.map(askedOf);
    const [only] = rows;
    const used = ends.flatMap(({ runId, at, used: ofRun = [] }) =>
      ofRun.map((one) => Object.assign(usageRow(one, at), { run_id: runId, shard: shardOf(runId) })),
    );
    const told = ends.flatMap(({ runId, answer, used: ofRun, telling }) =>
      telling ? endedNotices(telling, answer, ofRun).map((notice) => Object.assign(notice, { run_id: runId })) : [],
    );
    const isOne = rows.length === 1 && told.length === 0;
    const statement = told.length > 0 ? endAndTell : isOne ? endOne : endMany;
    return statement({
      ends: JSON.stringify(isOne ? only : rows),
      told: JSON.stringify(told),
      tails: JSON.stringify(eventRows(ends.flatMap(({ log }) => log?.tail ?? []))),
      used: JSON.stringify(used),
    });
  };
}

function endAll(
  dialect: SqlDialect,
  end: RawBuilder<unknown>,
  { tails, used, told }: Lists,
  isTold: boolean,
): RawBuilder<Pick<RunTable, "run_id">> {
  const [thread, run, message] = [dialect.table("thread"), dialect.table("run"), dialect.table("message")];
  const addUsed = (table: keyof typeof usageKeys) => {
    const key = sql.join(Object.keys(usageKeys[table]).map((name) => sql.id(name)));
    const sums = sql.join(namesOf(countColumns).map((name) => sql`sum(${sql.id(name)})`));
    return addSums(dialect, table, sql`select ${key}, ${sums} from used group by ${key} order by ${key}`);
  };
  return sql<Pick<RunTable, "run_id">>`
    with asked as (
      select * from ${end} as asked (run_id text, ${sql.join(askedColumns)})
    ), held as (
      select thread_id from ${thread}
      where thread_id in (select run.thread_id from ${run} join asked on asked.run_id = run.run_id)
      for update skip locked
    ), ended as (
      update ${run} set ${setAsked("run")}, ended_ms = ${dialect.nowMs}
      from asked, held
      where run.run_id = asked.run_id and run.thread_id = held.thread_id and run.status = ${RUNNING}
      returning run.run_id, run.thread_id, run.answer_id, run.project_id, run.visitor_id, run.log_slot
    ), answered as (
      update ${message} set ${setAsked("message")}
      from ended join asked on asked.run_id = ended.run_id
      where message.thread_id = ended.thread_id and message.id = ended.answer_id
    ), bumped as (
      update ${thread} set updated_at = greatest(thread.updated_at, asked.run_ended_at)
      from ended join asked on asked.run_id = ended.run_id
      where thread.thread_id = ended.thread_id
    ), appended as (
      ${insertEvents(dialect, dialect.jsonRows(tails), "ended")}
    ), used as (
      select ended.project_id, ended.visitor_id, counted.* from json_to_recordset(${used}::json) as counted (
        run_id text, ${sql.join(countedColumns)}
      ) join ended on ended.run_id = counted.run_id
    ), used_by_visitor as (
      ${addUsed("visitor_usage")}
    ), used_by_project as (
      ${addUsed("project_usage")}
    )${isTold ? telling(dialect, told) : sql``}
    select run_id from ended`;
}

/** The step of the statement that inserts the webhook events of the ends. */
function telling(dialect: SqlDialect, told: string): RawBuilder<unknown> {
  const insert = insertWebhookEvents(
    dialect,
    {
      project_id: sql`ended.project_id`,
      url: sql`told.url`,
      type: sql`'run.ended'`,
      at: sql`asked.run_ended_at`,
      visitor_id: sql`ended.visitor_id`,
      thread_id: sql`ended.thread_id`,
      message_id: sql`ended.answer_id`,
      tool_call_id: sql`null`,
      fields: sql`told.fields`,
      texts: sql`told.texts`,
    },
    sql`json_to_recordset(${told}::json) as told (run_id text, url text, fields text, texts text)
      join ended on ended.run_id = told.run_id join asked on asked.run_id = told.run_id`,
  );
  return sql`, told as (${insert})`;
}
