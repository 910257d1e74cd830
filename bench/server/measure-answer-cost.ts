import { existsSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { Place } from "./servers/place.ts";

/** The cost of one answer, on Postgres and with a model behind HTTP. */
export interface AnswerCost {
  readonly serverCpuMs: number;
  /** `undefined` if the system does not report it; only Linux does. */
  readonly postgresCpuMs: number | undefined;
  readonly transactions: number;
  readonly walBytes: number;
  /** The bytes, including indexes, that stay in the database. */
  readonly keptBytes: number;
  /** The bytes of the event log, including indexes, which is dropped after the answer. */
  readonly logBytes: number;
}

const LINES = 30;
const EACH = 6;

/** 300 deltas at 50 a second are one page of text. */
const PACE = { deltas: 300, everyMs: 20 };

/** Measures answers in separate threads, after some that do not count. */
export async function measureAnswerCost(): Promise<AnswerCost> {
  await using place = new Place();
  const database = await (await place.postgres()).createDatabase();
  const { OPENAI_BASE_URL } = await place.upstream();
  const load = place.process("load.ts");
  const { server, url } = await place.chatServer({ BENCH_DATABASE: database, BENCH_UPSTREAM: OPENAI_BASE_URL });
  const client = new Client({ connectionString: database });
  place.defer(() => client.end());
  await client.connect();
  await load.call("converse", url, LINES, 1, PACE);
  const figures = async () => ({
    server: await server.call<number>("cpuMs"),
    postgres: await postgresCpuMs(client),
    ...(await databaseFigures(client)),
  });
  const before = await figures();
  await load.call("converse", url, LINES, EACH, PACE);
  const after = await figures();
  const each = (was: number, is: number) => (is - was) / (LINES * EACH);
  return {
    serverCpuMs: each(before.server, after.server),
    postgresCpuMs:
      before.postgres === undefined || after.postgres === undefined ? undefined : each(before.postgres, after.postgres),
    transactions: each(before.transactions, after.transactions),
    walBytes: each(before.walBytes, after.walBytes),
    keptBytes: each(before.keptBytes, after.keptBytes),
    logBytes: each(before.logBytes, after.logBytes),
  };
}

async function databaseFigures(client: Client) {
  await client.query("select pg_stat_force_next_flush()");
  const { rows } = await client.query<Record<"transactions" | "wal" | "kept" | "log", string>>(`
    select
      (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
      pg_current_wal_lsn() - '0/0' as wal,
      (select sum(pg_total_relation_size(oid)) from pg_class
        where relnamespace = 'nitka'::regnamespace and relkind = 'r' and relname not like 'run_event%') as kept,
      (select sum(pg_total_relation_size(oid)) from pg_class
        where relnamespace = 'nitka'::regnamespace and relkind = 'r' and relname like 'run_event%') as log`);
  const [row] = rows;
  if (!row) throw new Error("Postgres has said nothing about itself.");
  return {
    transactions: Number(row.transactions),
    walBytes: Number(row.wal),
    keptBytes: Number(row.kept),
    logBytes: Number(row.log),
  };
}

/** The processor time of all connections of this server, in milliseconds. */
async function postgresCpuMs(client: Client): Promise<number | undefined> {
  if (!existsSync("/proc/self/stat")) return undefined;
  const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity");
  return rows.reduce((sum, { pid }) => sum + ticksOf(pid) * MS_PER_TICK, 0);
}

/** Linux counts a hundred ticks per second. */
const MS_PER_TICK = 10;

function ticksOf(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
