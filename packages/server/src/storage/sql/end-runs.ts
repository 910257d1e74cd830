import type { CompiledQuery } from "kysely";
import type { Message } from "@nitka/protocol";
import { StorageUnavailableError } from "../storage.ts";
import type { EndOptions } from "../storage.ts";
import type { UsedTokens } from "../usage.ts";
import { usageStatements } from "./add-usage.ts";
import type { UsageEntry } from "./add-usage.ts";
import { endStatements } from "./end-statements.ts";
import type { Endable, EndRow, EndStatements } from "./end-statements.ts";
import { columnOfSuggestions } from "./message-notes.ts";
import { columnsOfAnswer } from "./message-row.ts";
import { columnsOfUsed } from "./run-row.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { inTwoTrips } from "./two-trips.ts";
import type { Decision } from "./two-trips.ts";
import { utcTime } from "./utc-time.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** An end that is stored, and its run before it. */
type EndedRun = RunEnd & { readonly run: Endable };

/** The result of an end. `over`: the run had ended already. `locked`: another transaction has its thread. */
type Outcome = "ended" | "over" | "locked";

interface Waiting {
  readonly end: RunEnd;
  readonly resolve: (ended: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores the ends of runs. Ends that come while a transaction is in progress share the next one, so answers that end
 * together cost two round trips in all, not two each.
 *
 * @param onEnded called with the runs that a transaction has ended
 */
export function createRunEnds(
  db: Db,
  dialect: SqlDialect,
  onEnded: (runIds: readonly string[]) => Promise<void>,
): (end: RunEnd) => Promise<boolean> {
  const statements = endStatements(db, dialect);
  const addUsage = usageStatements(db, dialect);
  let waiting: Waiting[] = [];
  let working = false;

  async function work(): Promise<void> {
    working = true;
    // Lets the other ends of this turn of the event loop join the first group.
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
      // Each alone, so that an end that waits for its thread delays no other.
      void Promise.all(locked.map(storeAlone));
    } catch (error) {
      const isRefused = !(error instanceof StorageUnavailableError);
      // If the database refuses the group, one end may be the cause: each is tried alone.
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
    const runIds = ends.map(({ runId }) => runId);
    const looks = { held: statements.hold(runIds), runs: statements.look(runIds) };
    const outcomes = await dialect.durable(
      inTwoTrips(db, dialect, looks, ({ held, runs }): Decision<readonly Outcome[]> => {
        const { outcomes, ended } = chooseEnds(ends, runs, dialect.concurrent ? held : runs);
        return {
          result: outcomes,
          writes: ended.length > 0 ? [...write(statements, ended), ...addUsage(ended.flatMap(usageOf))] : [],
        };
      }),
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

/**
 * Decides which ends are stored. Of two ends of one run the first counts.
 *
 * @param held the threads that this transaction has locked
 */
function chooseEnds(
  ends: readonly RunEnd[],
  runs: readonly Endable[],
  held: readonly { readonly thread_id: string }[],
): { readonly outcomes: readonly Outcome[]; readonly ended: readonly EndedRun[] } {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const threads = new Set(held.map(({ thread_id }) => thread_id));
  const chosen = new Map<string, EndedRun>();
  const outcomes = ends.map((end): Outcome => {
    const run = byId.get(end.runId);
    if (run && !threads.has(run.thread_id)) return "locked";
    if (!run || !mayEnd(run, end) || chosen.has(end.runId)) return "over";
    chosen.set(end.runId, { ...end, run });
    return "ended";
  });
  return { outcomes, ended: [...chosen.values()] };
}

/** A running run, and one that was interrupted as stale if its own instance ends it and nothing follows it. */
function mayEnd(run: Endable, { log }: RunEnd): boolean {
  if (run.status === "running") return true;
  const wasInterruptedAsStale = run.status === "incomplete" && run.reason === "interrupted";
  return wasInterruptedAsStale && run.instance_id === log?.instanceId && !run.is_followed;
}

function write(statements: EndStatements, ends: readonly EndedRun[]): readonly CompiledQuery[] {
  const rows = ends.map(({ answer, at, log, used = [], figures, run }): EndRow => {
    const { content, status, reason, error, code } = columnsOfAnswer(answer);
    const cost = columnsOfUsed(used);
    return {
      run_id: run.run_id,
      thread_id: run.thread_id,
      answer_id: run.answer_id,
      outcome: answer.status?.type === "complete" ? "complete" : "incomplete",
      at: utcTime(at),
      seq: log?.seq ?? null,
      model_id: cost.model_id ?? null,
      input_tokens: cost.input_tokens ?? null,
      cached_tokens: cost.cached_tokens ?? null,
      output_tokens: cost.output_tokens ?? null,
      first_token_ms: figures?.firstTokenMs ?? null,
      rejoins: figures?.rejoins ?? null,
      content,
      status,
      reason,
      error,
      code,
    };
  });
  const tails = ends.flatMap(({ log }) => log?.tail ?? []);
  return [
    ...statements.store(rows),
    ...ends.flatMap(({ run, answer }) => {
      const suggestions = columnOfSuggestions(answer.suggestions);
      return suggestions === null ? [] : [statements.suggest({ ...run, suggestions })];
    }),
    ...(tails.length > 0 ? [statements.append(tails)] : []),
  ];
}

/** The tokens of an answer. For a run that was interrupted as stale, its estimate is subtracted. */
function usageOf({ run, used = [], at }: EndedRun): readonly UsageEntry[] {
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
