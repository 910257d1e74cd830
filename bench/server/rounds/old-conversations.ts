/** Fills a database with conversations of past years, by SQL: the server itself would take hours. */
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** The messages of a thread, and the event rows of its answers. */
export const MESSAGES = 10;
export const EVENTS = 10;

/** The number of threads in one transaction. All of them were used at the same time. */
const BATCH = 2000;

/** One in this many threads belongs to the small project. */
const SMALL_SHARE = 20;

const DAY_MS = 86_400_000;

/** The age of the youngest threads, and how much older the oldest ones are. */
const YOUNGEST_MS = 40 * DAY_MS;
const SPAN_MS = 365 * DAY_MS;

type Run = (statement: string) => Promise<void>;

/** Stores that many threads, each with its messages, answers, events and usage, in the projects `large` and `small`. */
export async function fillWithOldConversations(database: string, threads: number): Promise<void> {
  if (database.startsWith("postgres:")) {
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query("set search_path to nitka; set synchronous_commit to off");
    await fill(
      threads,
      (slot) => `${slot} % 6`,
      async (statement) => void (await client.query(statement)),
    );
    await client.query("vacuum (analyze)");
    await client.end();
    return;
  }
  const file = new DatabaseSync(database);
  file.exec("pragma synchronous = off; pragma cache_size = -500000");
  await fill(
    threads,
    () => "0",
    async (statement) => file.exec(statement),
  );
  file.exec("pragma wal_checkpoint(truncate)");
  file.close();
}

async function fill(threads: number, slotOf: (n: string) => string, run: Run): Promise<void> {
  for (let from = 0; from < threads; from += BATCH) {
    const to = Math.min(from + BATCH, threads);
    const age = YOUNGEST_MS + SPAN_MS * (1 - from / threads);
    const at = new Date(Date.now() - age).toISOString();
    const ms = Date.parse(at);
    const counted = (name: string, first: number, last: number) =>
      `${name}(${name}) as (select ${first} union all select ${name} + 1 from ${name} where ${name} < ${last - 1})`;
    const n = counted("n", from, to);
    const project = `case when n % ${SMALL_SHARE} = 0 then 'small' else 'large' end`;
    const owner = `${project}, 'v' || n`;
    await run("begin");
    await run(`insert into thread (thread_id, project_id, visitor_id, title, titled_by, head_id, created_at, updated_at)
      with recursive ${n} select 'old-thread-' || n, ${owner}, 'Погода', 'model', 'm${MESSAGES}', '${at}', '${at}' from n`);
    await run(`insert into message (thread_id, id, position, parent_id, role, content, status, created_at)
      with recursive ${n}, ${counted("m", 1, MESSAGES + 1)}
      select 'old-thread-' || n, 'm' || m, m, case when m > 1 then 'm' || (m - 1) end,
        case m % 2 when 1 then 'user' else 'assistant' end, '"${"Погода сегодня ясная. ".repeat(8)}"',
        case m % 2 when 0 then 'complete' end, '${at}' from n cross join m`);
    await run(`insert into run (run_id, thread_id, project_id, visitor_id, question_id, answer_id, instance_id, status,
        position, started_at, ended_at, log_slot, begun_ms, ended_ms)
      with recursive ${n}, ${counted("m", 1, MESSAGES / 2 + 1)}
      select 'old-run-' || n || '-' || m, 'old-thread-' || n, ${owner}, 'm' || (2 * m - 1), 'm' || (2 * m), 'gone',
        'complete', 2 * m, '${at}', '${at}', ${slotOf("n")}, ${ms}, ${ms} from n cross join m`);
    await run(`insert into run_event (slot, run_id, seq, last_seq, data)
      with recursive ${n}, ${counted("m", 1, MESSAGES / 2 + 1)}, ${counted("e", 0, (2 * EVENTS) / MESSAGES)}
      select ${slotOf("n")}, 'old-run-' || n || '-' || m, 5 * e + 1, 5 * e + 5, '${"x".repeat(300)}'
      from n cross join m cross join e`);
    await run(`insert into visitor_usage (project_id, visitor_id, day, model_id, purpose, calls, estimated_calls,
        input_tokens, cached_tokens, output_tokens)
      with recursive ${n} select ${owner}, '${at.slice(0, 10)}', 'paced', 'answer', 5, 0, 5000, 0, 900 from n`);
    await run("commit");
  }
}
