import type { CompiledQuery } from "kysely";
import { attachmentIdsOf } from "@nitka/protocol/message";
import type { BeginOptions, BeginRun } from "../../storage.ts";
import { beginsAtOnce } from "./begin-at-once.ts";
import { beginStatements, rowsOfBegin } from "./begin-statements.ts";
import type { Asked, BeginState, BeginStatements, RunPlace } from "./begin-statements.ts";
import { runOfRow } from "../rows/run-row.ts";
import type { RunRow } from "../rows/run-row.ts";
import { spenderOf, spentBudget } from "../usage/spent-budget.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { inTwoTrips } from "./two-trips.ts";
import type { Decision } from "./two-trips.ts";
import { utcTime } from "../utc-time.ts";

type BeginAll = (asked: Asked, options: BeginOptions) => Promise<BeginRun>;

/**
 * `Storage["runs"]["begin"]`. On Postgres one statement stores a new question with its run when no rule forbids it.
 * Otherwise a transaction of two steps finds the reason. It locks the thread first, so that what it reads stays true
 * until it ends.
 */
export function createRunBegins(db: Db, dialect: SqlDialect): BeginAll {
  const statements = beginStatements(db, dialect);
  const beginAtOnce = dialect.concurrent ? beginsAtOnce(db, dialect, statements) : undefined;

  return async (asked, options) => {
    const begun = await beginAtOnce?.(asked, options);
    if (begun) return begun;
    const { regenerate, at, cost, budget, telling } = options;
    const { ofOwner, ofProject } = statements.locks(asked, options);
    const reads = {
      ofOwner,
      thread: statements.lockThread(asked),
      ofProject,
      runs: statements.runs(asked),
      state: statements.readState(asked),
      spent: budget && spentBudget(db, asked.owner, budget, at),
    };
    return await dialect.durable(
      inTwoTrips(db, dialect, reads, ({ thread, runs, state: [state], spent }): Decision<BeginRun> => {
        if (thread.length === 0 || !state) return { result: { outcome: "missing", what: "thread" } };
        const refusal = reasonAgainst(asked, runs, state, { regenerate, limit: options.limit ?? null });
        if (refusal) return { result: refusal };
        const whose = budget && spenderOf(spent[0], budget);
        if (whose) return { result: { outcome: "spent", whose } };
        const isKnown = state.known_role !== null;
        const position = (state.last_position ?? 0) + 1;
        return begin(db, statements, asked, { at: utcTime(at), isKnown, position, cost, telling });
      }),
    );
  };
}

/**
 * The outcome when no run may begin; `undefined` when one may.
 *
 * A question that is stored without a run, such as an imported one, begins a run like a new question, but is not stored
 * a second time.
 */
function reasonAgainst(
  { run, question }: Asked,
  runs: readonly RunRow[],
  state: BeginState,
  { regenerate, limit }: { readonly regenerate: boolean; readonly limit: number | null },
): BeginRun | undefined {
  const latest = runs.find(({ question_id }) => question_id === question.id);
  if (!regenerate && latest) return { outcome: "known", run: runOfRow(latest) };
  const running = runs.find(({ status }) => status === "running");
  if (running) return { outcome: "busy", run: runOfRow(running) };
  const isKnown = state.known_role !== null;
  if (isKnown && state.known_role !== "user") return { outcome: "taken" };
  if (!isKnown && regenerate) return { outcome: "missing", what: "question" };
  const count = Number(state.running_count);
  if (limit !== null && count >= limit) return { outcome: "full", running: count };
  const hasParent = (question.parentId ?? null) !== null;
  if (!isKnown && hasParent && state.parent_id === null) return { outcome: "missing", what: "parent" };
  if (run.answerId === question.id || state.answer_id !== null) return { outcome: "taken" };
  return undefined;
}

/** Returns the statements that store the run, its empty answer, and the question if it is new. */
function begin(db: Db, statements: BeginStatements, asked: Asked, place: RunPlace): Decision<BeginRun> {
  const begun = rowsOfBegin(asked, place);
  const { threadId, questionId } = asked.run;
  const attachmentIds = begun.question ? attachmentIdsOf(asked.question) : [];
  const bound = attachmentIds.length > 0 ? [bindAttachments(db, threadId, questionId, attachmentIds)] : [];
  return { result: { outcome: "begun", run: runOfRow(begun.run) }, writes: [...bound, ...statements.store(begun)] };
}

/**
 * Binds attachments to the question. An attachment that was already sent stays bound to the message that it was first
 * sent with.
 */
function bindAttachments(db: Db, threadId: string, messageId: string, ids: readonly string[]): CompiledQuery {
  return db
    .updateTable("attachment")
    .set({ message_id: messageId })
    .where("thread_id", "=", threadId)
    .where("attachment_id", "in", ids)
    .where("message_id", "is", null)
    .compile();
}
