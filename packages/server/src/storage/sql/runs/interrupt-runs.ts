import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Message } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { OpenBlocks } from "@nitka/protocol/open-blocks";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import type { LoggedEvent, RunLogEnd, StoredRun } from "../../storage.ts";
import type { UsedTokens } from "../../usage.ts";
import type { RunTelling } from "../../webhooks.ts";
import { endStatements } from "./end-statements.ts";
import type { EndStatements, EndedRun } from "./end-statements.ts";
import { messageColumns, messageOfRow } from "../rows/message-row.ts";
import { readRunEvents } from "../rows/run-event-rows.ts";
import { columnsOfUsed, runOfRow } from "../rows/run-row.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { RunTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { createEventLoopTurns } from "../../../event-loop-turns.ts";
import { withLoggedOrigins } from "../../../tool-origin.ts";
import { utcTime } from "../utc-time.ts";

export interface Interruption {
  readonly runIds: readonly string[];
  readonly at: string;
  /**
   * The run's instance must have been silent for this long, which is checked again after the thread is locked. Absent:
   * no such condition.
   */
  readonly staleMs?: number;
}

/**
 * Makes a function that interrupts the given runs that are running, in one transaction. Each answer becomes what its
 * log, or its last checkpoint, contains. A thread that another transaction has locked is left for the next call:
 * waiting for it would delay all other runs.
 */
export function runInterruption(
  db: Db,
  dialect: SqlDialect,
): (interruption: Interruption) => Promise<readonly StoredRun[]> {
  const statements = endStatements(db, dialect);
  const turns = createEventLoopTurns();
  return ({ runIds, at, staleMs }) =>
    dialect.durable(
      db.transaction().execute(async (transaction) => {
        const runs = await lockRunning(transaction, dialect, statements, runIds, staleMs);
        const interrupted: Interrupted[] = [];
        for (const run of runs) {
          // Folding a long log takes milliseconds: other work gets its turn in between.
          await turns.next();
          interrupted.push(await interruptionOf(transaction, run, utcTime(at)));
        }
        const writes = statements.write(interrupted.map(({ end }) => end));
        for (const statement of writes) await transaction.executeQuery(statement);
        return interrupted.map(({ ended }) => ended);
      }),
    );
}

type RunningRow = Selectable<RunTable>;

/**
 * The running runs whose threads this transaction has locked. Every transaction locks the threads first: with another
 * order two transactions could deadlock.
 */
async function lockRunning(
  transaction: Db,
  dialect: SqlDialect,
  { lockFreeThreads }: EndStatements,
  runIds: readonly string[],
  staleMs: number | undefined,
): Promise<readonly RunningRow[]> {
  const lock = lockFreeThreads(runIds);
  const locked = lock && (await transaction.executeQuery(lock)).rows.map(({ thread_id }) => thread_id);
  if (locked?.length === 0) return [];
  const running = transaction
    .selectFrom("run")
    .selectAll("run")
    .where("run.run_id", "in", runIds)
    .where("run.status", "=", RUNNING);
  const ofLocked = locked ? running.where("run.thread_id", "in", locked) : running;
  return await (staleMs === undefined ? ofLocked : ofLocked.where(isStale(dialect, staleMs))).execute();
}

/** Whether the run began at least `staleMs` ago and its instance has been silent for as long. */
export function isStale({ table, nowMs }: SqlDialect, staleMs: number) {
  const before = sql<number>`${nowMs} - ${sql.lit(staleMs)}`;
  return sql<boolean>`run.begun_ms <= ${before} and not exists (
    select 1 from ${table("instance")} as writer where writer.instance_id = run.instance_id and writer.seen_ms > ${before})`;
}

interface Interrupted {
  readonly end: EndedRun;
  /** The run after it is stored. */
  readonly ended: StoredRun;
}

async function interruptionOf(transaction: Db, run: RunningRow, at: string): Promise<Interrupted> {
  const { message, log } = await storedAnswer(transaction, run);
  // A log that contains `finish` means that the process died between the last event and storing the end: this answer is
  // complete.
  const answer = endAnswer({ message, blocks: {} }, { type: "incomplete", reason: "interrupted" }).message;
  const used = usedBy(run, answer);
  return {
    end: {
      runId: run.run_id,
      answer,
      at,
      used,
      ...(log && { log }),
      ...(run.telling !== null && { telling: JSON.parse(run.telling) as RunTelling }),
      run: { ...run, reason: null, is_followed: false },
      isChange: false,
    },
    ended: runOfRow({
      ...run,
      status: answer.status?.type === "complete" ? "complete" : "incomplete",
      ended_at: at,
      ...(log && { checkpoint_seq: log.seq }),
      ...columnsOfUsed(used),
    }),
  };
}

/** Estimates the tokens, which only the lost process knew: four characters count as one token. */
function usedBy({ model_id, reserved_tokens }: RunningRow, { content }: Message): readonly UsedTokens[] {
  if (model_id === null) return [];
  const outputTokens = content.length === 0 ? 0 : Math.ceil(JSON.stringify(content).length / 4);
  const tokens = { inputTokens: reserved_tokens, cachedInputTokens: 0, outputTokens };
  return [{ modelId: model_id, purpose: "answer", calls: 1, estimatedCalls: 1, ...tokens }];
}

/** The answer that the log folds to, with the log's end; the last checkpoint when the log ends before it. */
async function storedAnswer(
  transaction: Db,
  run: RunningRow,
): Promise<{ readonly message: Message; readonly log?: RunLogEnd }> {
  const log = await readRunEvents(transaction, run.run_id, 0);
  const seq = log.at(-1)?.seq ?? 0;
  if (seq >= run.checkpoint_seq) {
    const events = log.flatMap(({ data }) => parseStreamEvent(data) ?? []);
    const folded = events.reduce(applyEvent, beginAnswer(run.answer_id, run.question_id));
    const message = withLoggedOrigins(folded.message, log);
    if (message.status?.type !== "running") return { message };
    const blocks = new OpenBlocks();
    for (const event of events) blocks.note(event);
    const tail = blocks.ends().map((event, index): LoggedEvent => {
      return { runId: run.run_id, seq: seq + index + 1, data: serializeEvent(event) };
    });
    return { message, log: { seq: seq + tail.length, tail, instanceId: run.instance_id } };
  }
  const row = await transaction
    .selectFrom("message")
    .select(messageColumns)
    .where("thread_id", "=", run.thread_id)
    .where("id", "=", run.answer_id)
    .executeTakeFirstOrThrow();
  return { message: messageOfRow(row) };
}
