import { sql } from "kysely";
import type { Message } from "@nitka/protocol";
import { StorageUnavailableError } from "../storage.ts";
import type { EndOptions } from "../storage.ts";
import type { UsedTokens } from "../usage.ts";
import { addUsage } from "./add-usage.ts";
import type { UsageEntry } from "./add-usage.ts";
import { insertEvents } from "./event-log.ts";
import { columnsOfAnswer } from "./message-row.ts";
import { columnsOfUsed } from "./run-row.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { utcTime } from "./utc-time.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** What became of an end: `locked` means that another transaction held its thread. */
type Outcome = "ended" | "over" | "locked";

interface Waiting {
  readonly end: RunEnd;
  readonly resolve: (ended: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores the ends of runs. Ends that come while a transaction is on its way share the next one: answers that end
 * together cost a few round trips, not a few each.
 *
 * @param onEnded called with the runs that a transaction has ended
 */
export function createRunEnds(
  db: Db,
  dialect: SqlDialect,
  onEnded: (runIds: readonly string[]) => Promise<void>,
): (end: RunEnd) => Promise<boolean> {
  let waiting: Waiting[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    // Begins when all who end in this turn of the loop have said so.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await storeGroup(group);
    }
    working = false;
  }

  async function storeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await store(group.map(({ end }) => end));
      const locked = group.filter((_, index) => outcomes[index] === "locked");
      for (const [index, { resolve }] of group.entries()) {
        if (outcomes[index] !== "locked") resolve(outcomes[index] === "ended");
      }
      // Alone, so that an end that waits for a thread holds up no other.
      void Promise.all(locked.map(storeAlone));
    } catch (error) {
      const isRefused = !(error instanceof StorageUnavailableError);
      // What the database refuses may be one end's fault: each is tried alone.
      if (isRefused && group.length > 1) await Promise.all(group.map(storeAlone));
      else for (const { reject } of group) reject(error);
    }
  }

  async function storeAlone({ end, resolve, reject }: Waiting): Promise<void> {
    try {
      const [outcome] = await store([end]);
      resolve(outcome === "ended");
    } catch (error) {
      reject(error);
    }
  }

  async function store(ends: readonly RunEnd[]): Promise<readonly Outcome[]> {
    const outcomes = await dialect.durable(
      db.transaction().execute((transaction) => writeEnds(transaction, dialect, ends)),
    );
    await onEnded(ends.flatMap(({ runId }, index) => (outcomes[index] === "ended" ? [runId] : [])));
    return outcomes;
  }

  return (end) =>
    new Promise((resolve, reject) => {
      waiting.push({ end, resolve, reject });
      if (!working) void work();
    });
}

async function writeEnds(transaction: Db, dialect: SqlDialect, ends: readonly RunEnd[]): Promise<readonly Outcome[]> {
  const runIds = ends.map(({ runId }) => runId);
  const held = await lockThreads(transaction, dialect, runIds);
  const runs = await findEndable(transaction, runIds);
  // Of two ends of one run the first counts.
  const chosen = new Map<string, RunEnd & { readonly run: Endable }>();
  const outcomes = ends.map((end): Outcome => {
    const run = runs.get(end.runId);
    if (run && !held(run.thread_id)) return "locked";
    if (!run || !mayEnd(run, end) || chosen.has(end.runId)) return "over";
    chosen.set(end.runId, { ...end, run });
    return "ended";
  });
  if (chosen.size > 0) await write(transaction, dialect, [...chosen.values()]);
  return outcomes;
}

/**
 * Holds the runs' threads until the transaction's end. Of several, those that somebody else holds are passed over: who
 * holds some must not wait for others.
 *
 * @returns whether a thread is held
 */
async function lockThreads(
  transaction: Db,
  dialect: SqlDialect,
  runIds: readonly string[],
): Promise<(threadId: string) => boolean> {
  if (!dialect.concurrent) return () => true;
  const threads = transaction
    .selectFrom("thread")
    .select("thread_id")
    .where("thread_id", "in", (run) => run.selectFrom("run").select("run.thread_id").where("run_id", "in", runIds))
    .forUpdate();
  const rows = await (runIds.length > 1 ? threads.skipLocked() : threads).execute();
  const ids = new Set(rows.map(({ thread_id }) => thread_id));
  return (threadId) => ids.has(threadId);
}

type Endable = Awaited<ReturnType<typeof endable>>[number];

async function findEndable(transaction: Db, runIds: readonly string[]): Promise<ReadonlyMap<string, Endable>> {
  const rows = await endable(transaction, runIds);
  return new Map(rows.map((row) => [row.run_id, row]));
}

function endable(transaction: Db, runIds: readonly string[]) {
  return transaction
    .selectFrom("run")
    .innerJoin("message", (join) =>
      join.onRef("message.thread_id", "=", "run.thread_id").onRef("message.id", "=", "run.answer_id"),
    )
    .select(["run.run_id", "run.thread_id", "run.answer_id", "run.status", "run.instance_id", "message.reason"])
    .select([
      "run.project_id",
      "run.visitor_id",
      "run.ended_at",
      "run.model_id",
      "run.input_tokens",
      "run.output_tokens",
    ])
    .select((run) =>
      run
        .exists(
          run
            .selectFrom("message as later")
            .select("later.id")
            .whereRef("later.thread_id", "=", "run.thread_id")
            .whereRef("later.position", ">", "run.position"),
        )
        .as("is_followed"),
    )
    .where("run.run_id", "in", runIds)
    .execute();
}

function mayEnd(run: Endable, { log }: RunEnd): boolean {
  if (run.status === "running") return true;
  const wasTakenForDead = run.status === "incomplete" && run.reason === "interrupted";
  return wasTakenForDead && run.instance_id === log?.instanceId && !run.is_followed;
}

async function write(
  transaction: Db,
  dialect: SqlDialect,
  ends: readonly (RunEnd & { readonly run: Endable })[],
): Promise<void> {
  const text = (index: number) => dialect.element<string>(index, "text");
  const integer = (index: number) => dialect.element<number>(index, "integer");
  const columns = ends.map(({ answer }) => columnsOfAnswer(answer));
  const rows = ends.map(({ answer, at, log, used, run }, index) => {
    const status = answer.status?.type === "complete" ? "complete" : "incomplete";
    const { run_id, thread_id, answer_id } = run;
    const cost = columnsOfUsed(used ?? []);
    return [
      run_id,
      thread_id,
      answer_id,
      status,
      utcTime(at),
      log?.seq ?? null,
      cost.model_id ?? null,
      cost.input_tokens ?? null,
      cost.cached_tokens ?? null,
      cost.output_tokens ?? null,
      ...Object.values(columns[index] ?? {}),
    ];
  });
  const settings = Object.keys(columns[0] ?? {}).map((name, index) => sql`${sql.ref(name)} = ${text(10 + index)}`);
  const items = dialect.items(JSON.stringify(rows));
  const endRuns = sql`
    update ${dialect.table("run")} set status = ${text(3)}, ended_at = ${text(4)}, ended_ms = ${dialect.nowMs},
      checkpoint_seq = coalesce(${integer(5)}, checkpoint_seq), model_id = coalesce(${text(6)}, model_id),
      input_tokens = coalesce(${integer(7)}, input_tokens), cached_tokens = coalesce(${integer(8)}, cached_tokens),
      output_tokens = coalesce(${integer(9)}, output_tokens)
    from ${items} where run.run_id = ${text(0)}`;
  const storeAnswers = sql`
    update ${dialect.table("message")} set ${sql.join(settings)}
    from ${items} where message.thread_id = ${text(1)} and message.id = ${text(2)}`;
  const bumpThreads = sql`
    update ${dialect.table("thread")} set updated_at = ${text(4)}
    from ${items} where thread.thread_id = ${text(1)} and thread.updated_at < ${text(4)}`;
  if (dialect.concurrent) {
    // In one round trip.
    await sql`with ended as (${endRuns}), answered as (${storeAnswers}) ${bumpThreads}`.execute(transaction);
  } else {
    for (const statement of [endRuns, storeAnswers, bumpThreads]) await statement.execute(transaction);
  }
  const tails = ends.flatMap(({ log }) => log?.tail ?? []);
  if (tails.length > 0) await insertEvents(dialect, tails).execute(transaction);
  await addUsage(transaction, ends.flatMap(usageOf));
}

/** What an answer took. Of one that was taken for dead, the estimate that stood for it is taken back. */
function usageOf({ run, used = [], at }: RunEnd & { readonly run: Endable }): readonly UsageEntry[] {
  const owner = { projectId: run.project_id, visitorId: run.visitor_id };
  const now: UsageEntry = { owner, visitorKnown: true, used, at };
  if (run.ended_at === null || run.model_id === null || used.length === 0) return [now];
  const estimate: UsedTokens = {
    modelId: run.model_id,
    purpose: "answer",
    calls: -1,
    estimatedCalls: -1,
    inputTokens: -(run.input_tokens ?? 0),
    cachedInputTokens: 0,
    outputTokens: -(run.output_tokens ?? 0),
  };
  return [{ ...now, used: [estimate], at: run.ended_at }, now];
}
