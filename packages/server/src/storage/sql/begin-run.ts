import type { CompiledQuery } from "kysely";
import type { Message } from "@nitka/protocol";
import { attachmentIdsOf } from "@nitka/protocol/message";
import type { BeginOptions, BeginRun, ExpectedCost } from "../storage.ts";
import { beginStatements } from "./begin-statements.ts";
import type { Asked, BeginLook, BeginStatements } from "./begin-statements.ts";
import { lockOwner } from "./lock-owner.ts";
import { columnsOfMessage } from "./message-row.ts";
import { runOfRow } from "./run-row.ts";
import type { RunRow } from "./run-row.ts";
import type { RunTable } from "./schema.ts";
import { spenderOf, spentBudget } from "./spent-budget.ts";
import type { Db, SqlDialect } from "./sql-dialect.ts";
import { inTwoTrips } from "./two-trips.ts";
import type { Decision } from "./two-trips.ts";
import { utcTime } from "./utc-time.ts";

type BeginAll = (asked: Asked, options: BeginOptions) => Promise<BeginRun>;

/** `Storage["runs"]["begin"]`. The thread is locked first, so what is read here stays true until the transaction ends. */
export function createRunBegins(db: Db, dialect: SqlDialect): BeginAll {
  const statements = beginStatements(db, dialect);

  return async (asked, options) => {
    const { owner } = asked;
    const { regenerate, at, limit = null, cost, budget } = options;
    const perVisitor = limit !== null || typeof budget?.visitorTokens === "number";
    // Questions of one project wait for each other here, but no transaction waits for anything else while it has this lock.
    const project =
      typeof budget?.projectTokens === "number" && dialect.lock(JSON.stringify(["tokens", owner.projectId]));
    const looks = {
      ownerLock: perVisitor ? lockOwner(dialect, owner)?.compile(db) : undefined,
      thread: statements.hold(asked),
      projectLock: project ? project.compile(db) : undefined,
      runs: statements.runs(asked),
      seen: statements.look(asked),
      spent: budget && spentBudget(db, owner, budget, at),
    };
    return await dialect.durable(
      inTwoTrips(db, dialect, looks, ({ thread, runs, seen: [seen], spent }): Decision<BeginRun> => {
        if (thread.length === 0 || !seen) return { result: { outcome: "missing", what: "thread" } };
        const refusal = reasonAgainst(asked, runs, seen, { regenerate, limit });
        if (refusal) return { result: refusal };
        const whose = budget && spenderOf(spent[0], budget);
        if (whose) return { result: { outcome: "spent", whose } };
        const isKnown = seen.known_role !== null;
        const position = (seen.last_position ?? 0) + 1;
        return begin(db, statements, asked, { at: utcTime(at), isKnown, position, cost });
      }),
    );
  };
}

/**
 * The outcome when no run may begin; `undefined` when one may.
 *
 * A question that is stored without a run, such as an imported one, begins a run like a new question. It is not stored a
 * second time.
 */
function reasonAgainst(
  { run, question }: Asked,
  runs: readonly RunRow[],
  seen: BeginLook,
  { regenerate, limit }: { readonly regenerate: boolean; readonly limit: number | null },
): BeginRun | undefined {
  const isKnown = seen.known_role !== null;
  if (isKnown && seen.known_role !== "user") return { outcome: "taken" };
  if (!isKnown && regenerate) return { outcome: "missing", what: "question" };
  const latest = runs.find(({ question_id }) => question_id === question.id);
  if (!regenerate && latest) return { outcome: "known", run: runOfRow(latest) };
  const running = runs.find(({ status }) => status === "running");
  if (running) return { outcome: "busy", run: runOfRow(running) };
  const count = Number(seen.running_count);
  if (limit !== null && count >= limit) return { outcome: "full", running: count };
  const hasParent = (question.parentId ?? null) !== null;
  if (!isKnown && hasParent && seen.parent_id === null) return { outcome: "missing", what: "parent" };
  if (run.answerId === question.id || seen.answer_id !== null) return { outcome: "taken" };
  return undefined;
}

interface Place {
  readonly at: string;
  /** Whether the question is stored already. */
  readonly isKnown: boolean;
  /** The position of the first new message. */
  readonly position: number;
  readonly cost: ExpectedCost | undefined;
}

/** The statements that store the run, its empty answer, and the question if it is new. */
function begin(
  db: Db,
  statements: BeginStatements,
  { owner, run, question }: Asked,
  { at, isKnown, position, cost }: Place,
): Decision<BeginRun> {
  const { threadId, questionId, answerId } = run;
  const answer: Message = {
    id: answerId,
    role: "assistant",
    content: [],
    parentId: questionId,
    createdAt: at,
    status: { type: "running" },
  };
  const rowAt = (message: Message, place: number) => ({
    thread_id: threadId,
    position: place,
    ...columnsOfMessage(message),
  });
  const answerPosition = isKnown ? position : position + 1;
  const row: RunTable = {
    run_id: run.runId,
    thread_id: threadId,
    project_id: owner.projectId,
    visitor_id: owner.visitorId,
    question_id: questionId,
    answer_id: answerId,
    instance_id: run.instanceId,
    status: "running",
    position: answerPosition,
    started_at: at,
    ended_at: null,
    checkpoint_seq: 0,
    cancel_requested: 0,
    model_id: cost?.modelId ?? null,
    reserved_tokens: 0,
    input_tokens: null,
    cached_tokens: null,
    output_tokens: null,
    first_token_ms: null,
    rejoins: null,
  };
  const stored = statements.store({
    run: row,
    question: isKnown ? undefined : rowAt({ createdAt: at, ...question }, position),
    answer: rowAt(answer, answerPosition),
    cost,
  });
  const attachmentIds = isKnown ? [] : attachmentIdsOf(question);
  const bound = attachmentIds.length > 0 ? [bindAttachments(db, threadId, questionId, attachmentIds)] : [];
  return { result: { outcome: "begun", run: runOfRow(row) }, writes: [...bound, ...stored] };
}

/** Binds attachments to the question. One that was sent before stays bound to the message that it was first sent with. */
function bindAttachments(db: Db, threadId: string, messageId: string, ids: readonly string[]): CompiledQuery {
  return db
    .updateTable("attachment")
    .set({ message_id: messageId })
    .where("thread_id", "=", threadId)
    .where("attachment_id", "in", ids)
    .where("message_id", "is", null)
    .compile();
}
