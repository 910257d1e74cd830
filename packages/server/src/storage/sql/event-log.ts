import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { LoggedEvent } from "../storage.ts";
import type { RunEventTable } from "./schema.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** A run's events after `afterSeq`, in order. */
export async function readLog(db: Db, runId: string, afterSeq: number): Promise<LoggedEvent[]> {
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
 * The statement that writes events. Events of a run that lie side by side share a row. A row that begins where another
 * does takes its place if it reaches further: that is a batch that was tried before and has grown since.
 *
 * Rows are written in the order of the runs' ids: of two statements that write rows of the same runs one waits for the
 * other, and never each for the other. The runs are held meanwhile: one that is being dropped takes these rows along.
 *
 * @param events as `eventItems` has them
 */
export function insertEvents(dialect: SqlDialect, events: string): RawBuilder<unknown> {
  const runId = dialect.element(0, "text");
  return sql`
    insert into ${dialect.table("run_event")} as kept (slot, run_id, seq, last_seq, data)
    select run.log_slot, run.run_id, ${dialect.element(1, "integer")}, ${dialect.element(2, "integer")},
      ${dialect.element(3, "text")}
    from ${dialect.items(events)} join ${dialect.table("run")} on run.run_id = ${runId}
    where true order by 2, 3 ${dialect.concurrent ? sql`for key share of run` : sql``}
    on conflict (slot, run_id, seq) do update set last_seq = excluded.last_seq, data = excluded.data
    where excluded.last_seq > kept.last_seq
  `;
}

/** Events as the statement that writes them takes them. */
export function eventItems(events: readonly LoggedEvent[]): string {
  return JSON.stringify(rowsOfEvents(events));
}

/** The events after `afterSeq` that rows of one run hold, each once, also where rows overlap. */
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

function rowsOfEvents(events: readonly LoggedEvent[]): readonly Row[] {
  const rows: Row[] = [];
  const open = new Map<string, Row>();
  for (const { runId, seq, data } of events) {
    // A line break in JSON stands only between its tokens, where a space does as well.
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
