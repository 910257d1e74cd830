/** Only the tables and statements that whole answers need on Postgres: plain `pg`, with named prepared statements. */
import { Client, Pool } from "pg";

/** An active run, as another instance finds it. */
export interface FoundRun {
  readonly runId: string;
  readonly instance: string;
}

/** Some events of a run, joined by line breaks. */
export interface EventRow {
  readonly runId: string;
  /** The number of the last of them. */
  readonly seq: number;
  readonly data: string;
}

export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

/** The events of followed runs since their cursors. */
export interface RunLog {
  readonly rows: readonly EventRow[];
  readonly over: boolean;
}

export interface FloorStorage {
  createThread(threadId: string): Promise<void>;
  begin(run: { readonly runId: string; readonly threadId: string }, question: string): Promise<void>;
  append(rows: readonly EventRow[], notices: readonly Notice[]): Promise<void>;
  end(
    run: { readonly runId: string; readonly threadId: string },
    answer: string,
    tail: EventRow,
    notices: readonly Notice[],
  ): Promise<void>;
  findRunning(threadId: string): Promise<FoundRun | undefined>;
  read(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, RunLog>>;
  notify(notice: Notice): Promise<void>;
}

const TABLES = `
  create schema if not exists floor;
  create table if not exists floor.thread (thread_id text primary key, title text, updated_at text not null);
  create table if not exists floor.message (
    thread_id text, id text, role text not null, content text not null, status text, primary key (thread_id, id));
  create table if not exists floor.run (
    run_id text primary key, thread_id text not null, instance text not null, status text not null);
  create index if not exists run_thread on floor.run (thread_id);
  create table if not exists floor.run_event (run_id text, seq integer, data text not null, primary key (run_id, seq))`;

const NOTIFY =
  "select count(pg_notify(item.value ->> 0, item.value ->> 1)) from json_array_elements($1::json) as item (value)";

/** @param onNotification called with each message on the channel with the instance's name */
export async function openFloorStorage(
  url: string,
  instance: string,
  onNotification: (payload: string) => void,
): Promise<FloorStorage> {
  const connectionString = url;
  const listener = new Client({ connectionString });
  const log = new Client({ connectionString, pipeline: true });
  const pool = new Pool({ connectionString, max: 10 });
  await Promise.all([listener.connect(), log.connect()]);
  await log.query(TABLES);
  listener.on("notification", ({ payload }) => onNotification(payload ?? ""));
  await listener.query(`listen "${instance}"`);

  const query = async (name: string, text: string, values: readonly unknown[]) =>
    (await pool.query<Record<string, never>>({ name, text, values: [...values] })).rows;

  return {
    createThread: async (threadId) => {
      await query("thread", "insert into floor.thread values ($1, null, now()::text)", [threadId]);
    },
    begin: async ({ runId, threadId }, question) => {
      const text = `
        with asked as (insert into floor.message values ($1, $2 || '-q', 'user', $3, null), ($1, $2, 'assistant', '', 'running')),
          bumped as (update floor.thread set updated_at = now()::text where thread_id = $1)
        insert into floor.run values ($2, $1, $4, 'running')`;
      await query("begin", text, [threadId, runId, question, instance]);
    },
    append: async (rows, notices) => {
      const text = `
        with appended as (
          insert into floor.run_event select item.value ->> 0, (item.value ->> 1)::integer, item.value ->> 2
          from json_array_elements($2::json) as item (value))
        ${NOTIFY.replace("select", "select set_config('synchronous_commit', 'off', true),")}`;
      await log.query({ name: "append", text, values: [itemsOf(notices), rowsOf(rows)] });
    },
    end: async ({ runId, threadId }, answer, tail, notices) => {
      const text = `
        with ended as (update floor.run set status = 'complete' where run_id = $2),
          answered as (update floor.message set content = $4, status = 'complete' where thread_id = $3 and id = $2),
          titled as (update floor.thread set title = 'Тема', updated_at = now()::text where thread_id = $3),
          appended as (insert into floor.run_event values ($2, $5, $6))
        ${NOTIFY}`;
      await query("end", text, [itemsOf(notices), runId, threadId, answer, tail.seq, tail.data]);
    },
    findRunning: async (threadId) => {
      const text = `select run_id as "runId", instance from floor.run where thread_id = $1 and status = 'running'`;
      const [found] = await query("running", text, [threadId]);
      return found as FoundRun | undefined;
    },
    read: async (cursors) => {
      const text = `
        select run.run_id as "runId", run.status, kept.seq, kept.data
        from json_array_elements($1::json) as item (value) join floor.run on run.run_id = item.value ->> 0
        left join floor.run_event as kept on kept.run_id = run.run_id and kept.seq > (item.value ->> 1)::integer
        order by 1, 3`;
      const rows = (await query("read", text, [JSON.stringify([...cursors])])) as unknown as readonly FoundRow[];
      const logs = [...Map.groupBy(rows, ({ runId }) => runId)].map(([runId, ofRun]): [string, RunLog] => [
        runId,
        { rows: ofRun.filter(({ seq }) => seq !== null), over: ofRun[0]?.status !== "running" },
      ]);
      return new Map(logs);
    },
    notify: async (notice) => {
      await query("notify", NOTIFY, [itemsOf([notice])]);
    },
  };
}

type FoundRow = EventRow & { readonly status: string };

function itemsOf(notices: readonly Notice[]): string {
  return JSON.stringify(notices.map(({ channel, payload }) => [channel, payload]));
}

function rowsOf(rows: readonly EventRow[]): string {
  return JSON.stringify(rows.map(({ runId, seq, data }) => [runId, seq, data]));
}
