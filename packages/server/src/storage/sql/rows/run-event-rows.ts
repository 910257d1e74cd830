/**
 * The rows of `run_event`. Consecutive events of a run share a row: their JSON, one event per line.
 *
 * @example
 * // appended: r1:1 "a", r2:1 "x", r1:2 "b", r1:4 "d"
 * // run_id  seq  last_seq  data
 * // r1      1    2         a\nb
 * // r2      1    1         x
 * // r1      4    4         d
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { LoggedEvent } from "../../storage.ts";
import type { RunEventTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** A run's events after `afterSeq`, in order. */
export async function readRunEvents(db: Db, runId: string, afterSeq: number): Promise<LoggedEvent[]> {
  const rows = await db
    .selectFrom("run_event")
    .selectAll()
    .where("slot", "=", (run) => run.selectFrom("run").select("log_slot").where("run_id", "=", runId))
    .where("run_id", "=", runId)
    .where("last_seq", ">", afterSeq)
    .orderBy("seq")
    .execute();
  return eventsOfRows(rows, afterSeq);
}

/**
 * The statement that writes events. A row replaces an existing row with the same key if it has more events: it is then
 * a batch that was tried before and has grown since.
 *
 * Rows are written in the order of the run ids, so that two statements cannot deadlock. The runs are locked meanwhile:
 * a transaction that drops a run waits, and then deletes these rows too.
 *
 * @param events the rows, as a table of the JSON of `eventRows`
 * @param locked the name of a query in the statement that has locked runs: events of other runs are left out
 */
export function insertEvents(dialect: SqlDialect, events: RawBuilder<unknown>, locked?: string): RawBuilder<unknown> {
  const runId = dialect.jsonValue(0, "text");
  const runs = locked === undefined ? dialect.table("run") : sql`${sql.id(locked)} as run`;
  const lock = locked === undefined && dialect.concurrent ? sql`for key share of run` : sql``;
  return sql`
    insert into ${dialect.table("run_event")} as kept (slot, run_id, seq, last_seq, data)
    select run.log_slot, run.run_id, ${dialect.jsonValue(1, "integer")}, ${dialect.jsonValue(2, "integer")},
      ${dialect.jsonValue(3, "text")}
    from ${events} join ${runs} on run.run_id = ${runId}
    where true order by 2, 3 ${lock}
    on conflict (slot, run_id, seq) do update set last_seq = excluded.last_seq, data = excluded.data
    where excluded.last_seq > kept.last_seq
  `;
}

/** The events after `afterSeq` in the rows of one run, each once. Rows may overlap after a batch was retried. */
export function eventsOfRows(rows: readonly Omit<RunEventTable, "slot">[], afterSeq: number): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  let last = afterSeq;
  for (const { run_id, seq, data } of rows) {
    for (const [index, line] of data.split("\n").entries()) {
      if (seq + index <= last) continue;
      last = seq + index;
      events.push({ runId: run_id, seq: last, data: line });
    }
  }
  return events;
}

type Row = [runId: string, seq: number, lastSeq: number, data: string];

/** The rows for `insertEvents`, as a list for JSON. */
export function eventRows(events: readonly LoggedEvent[]): readonly Row[] {
  const rows: Row[] = [];
  const open = new Map<string, Row>();
  for (const { runId, seq, data } of events) {
    // JSON has line breaks only between tokens, and a space is equivalent there.
    const line = (data.includes("\n") ? data.replaceAll("\n", " ") : data).toWellFormed();
    const row = open.get(runId);
    if (row && row[2] + 1 === seq) {
      row[2] = seq;
      row[3] += `\n${line}`;
    } else {
      const begun: Row = [runId, seq, seq, line];
      open.set(runId, begun);
      rows.push(begun);
    }
  }
  return rows;
}
