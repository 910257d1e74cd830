import { sql } from "kysely";
import type { Selectable } from "kysely";
import type {
  AwaitedCallKey,
  AwaitedCallStorage,
  CallDecision,
  DecidedBy,
  ExportedApproval,
  StoredAwaitedCall,
} from "../../awaited-calls.ts";
import { cleanJson, cleanText } from "../../../clean-text.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import type { AwaitedCallTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";
import { webhookInserts, webhookRows } from "../webhooks/webhook-rows.ts";
import type { Telling } from "../../webhooks.ts";
import { lockRows } from "../rows/lock-rows.ts";

/**
 * Each change is one statement with the condition `decision is null`, so exactly one of several concurrent changes
 * finds the row.
 */
export function awaitedCallRepository(db: Db, dialect: SqlDialect, signals: RunSignals): AwaitedCallStorage {
  const insertTold = webhookInserts(db, dialect);

  /** The call, if it is still waiting. */
  const waiting = ({ runId, toolCallId }: AwaitedCallKey, within = db) =>
    within
      .updateTable("awaited_call")
      .where("run_id", "=", runId)
      .where("tool_call_id", "=", cleanText(toolCallId))
      .where("decision", "is", null);

  const updating = (key: AwaitedCallKey, decision: CallDecision, { visitorId, at }: DecidedBy, within = db) =>
    waiting(key, within)
      .set({
        decision: decision.type,
        answer: answerOf(decision),
        decided_by: visitorId ?? null,
        decided_at: utcTime(at),
      })
      .returning("run_id");

  /**
   * Stores the decision and the webhook event in one transaction. It locks the thread, so that the events about a
   * thread have one order.
   */
  const decideAndTell = (key: AwaitedCallKey, decision: CallDecision, by: DecidedBy, telling: Telling) =>
    db.transaction().execute(async (transaction) => {
      const ofRun = transaction.selectFrom("run").select("thread_id").where("run_id", "=", key.runId);
      const held = transaction.selectFrom("thread").select("thread_id").where("thread_id", "in", ofRun);
      await lockRows(dialect, held).execute();
      const decided = await updating(key, decision, by, transaction).executeTakeFirst();
      const run = await transaction
        .selectFrom("run")
        .select(["project_id", "visitor_id", "thread_id", "answer_id"])
        .where("run_id", "=", key.runId)
        .executeTakeFirst();
      if (!decided || !run) return decided;
      const rows = webhookRows(
        {
          type: "approval.denied",
          projectId: run.project_id,
          visitorId: run.visitor_id,
          threadId: run.thread_id,
          messageId: run.answer_id,
          toolCallId: cleanText(key.toolCallId),
        },
        telling,
      );
      for (const statement of insertTold(rows)) await transaction.executeQuery(statement);
      return decided;
    });

  /**
   * Notifies the instance that writes the run. If the signal is lost, the instance's next heartbeat finds the answer.
   */
  const notifyWriter = async (runId: string) => {
    const run = await db.selectFrom("run").select("instance_id").where("run_id", "=", runId).executeTakeFirst();
    if (run) await signals.sendToWriter("answered", runId, run.instance_id);
  };

  return {
    add: async ({ runId, toolCallId, toolName, kind, askedAt }) => {
      const row = {
        run_id: runId,
        tool_call_id: cleanText(toolCallId),
        tool_name: cleanText(toolName),
        kind,
        asked_at: utcTime(askedAt),
      };
      await db
        .insertInto("awaited_call")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    find: async ({ runId, toolCallId }) => {
      const row = await db
        .selectFrom("awaited_call")
        .selectAll()
        .where("run_id", "=", runId)
        .where("tool_call_id", "=", cleanText(toolCallId))
        .executeTakeFirst();
      return row && callOfRow(row);
    },

    answered: async (runId) => {
      const rows = await db
        .selectFrom("awaited_call")
        .selectAll()
        .where("run_id", "=", runId)
        .where((is) => is.or([is("decision", "is not", null), is("allowed_at", "is not", null)]))
        .execute();
      return rows.map(callOfRow);
    },

    claim: async (key, pageId) => {
      const claiming = waiting(key)
        .set({ claimed_by: pageId })
        .where((is) => is.or([is("claimed_by", "is", null), is("claimed_by", "=", pageId)]))
        .returning("run_id")
        .executeTakeFirst();
      return (await dialect.durable(claiming)) !== undefined;
    },

    allow: async (key, { visitorId = null, at }) => {
      const allowing = waiting(key)
        .set({
          // The first permission counts.
          allowed_by: sql<string>`coalesce(allowed_by, ${visitorId})`,
          allowed_at: sql<string>`coalesce(allowed_at, ${utcTime(at)})`,
        })
        .returning("run_id")
        .executeTakeFirst();
      if ((await dialect.durable(allowing)) === undefined) return false;
      await notifyWriter(key.runId);
      return true;
    },

    decide: async (key, decision, by, telling) => {
      const deciding = telling
        ? decideAndTell(key, decision, by, telling)
        : updating(key, decision, by).executeTakeFirst();
      if ((await dialect.durable(deciding)) === undefined) return false;
      await notifyWriter(key.runId);
      return true;
    },

    dropOutput: async ({ runId, toolCallId }) => {
      await db
        .updateTable("awaited_call")
        .set({ answer: null })
        .where("run_id", "=", runId)
        .where("tool_call_id", "=", cleanText(toolCallId))
        .where("decision", "in", ["output", "failed"])
        .execute();
    },
  };
}

/** The approvals that a visitor was asked for in a thread, in the order of asking. */
export async function* exportApprovals(db: Db, threadId: string): AsyncGenerator<ExportedApproval> {
  const rows = await db
    .selectFrom("awaited_call")
    .innerJoin("run", "run.run_id", "awaited_call.run_id")
    .selectAll("awaited_call")
    .select("run.answer_id")
    .where("run.thread_id", "=", threadId)
    .where((is) =>
      is.or([is("kind", "=", "approval"), is("allowed_at", "is not", null), is("decision", "=", "denied")]),
    )
    .orderBy("asked_at")
    .orderBy("tool_call_id")
    .execute();
  for (const row of rows) {
    const { toolCallId, toolName, askedAt, allowed, decided } = callOfRow(row);
    const call = { messageId: row.answer_id, toolCallId, toolName, askedAt };
    const decision = decided?.decision;
    if (allowed && decision?.type !== "denied") yield { ...call, decision: "approved", ...byOf(allowed) };
    else if (!decided) yield { ...call, decision: "none" };
    else yield { ...call, ...byOf(decided), ...approvalOf(decided.decision) };
  }
}

function approvalOf(decision: CallDecision): Pick<ExportedApproval, "decision" | "reason"> {
  if (decision.type === "output" || decision.type === "failed") return { decision: "approved" };
  const { type, ...rest } = decision;
  return { decision: type, ...rest };
}

function byOf({ visitorId, at }: { readonly visitorId?: string; readonly at: string }) {
  return { ...(visitorId !== undefined && { by: visitorId }), at };
}

function callOfRow(row: Selectable<AwaitedCallTable>): StoredAwaitedCall {
  const decision = decisionOf(row);
  return {
    runId: row.run_id,
    toolCallId: row.tool_call_id,
    toolName: row.tool_name,
    kind: row.kind,
    askedAt: row.asked_at,
    ...(row.claimed_by !== null && { claimedBy: row.claimed_by }),
    ...(row.allowed_at !== null && { allowed: decidedBy(row.allowed_by, row.allowed_at) }),
    ...(decision && row.decided_at !== null && { decided: { decision, ...decidedBy(row.decided_by, row.decided_at) } }),
  };
}

function decidedBy(visitorId: string | null, at: string) {
  return { ...(visitorId !== null && { visitorId }), at };
}

/** The payload of a decision, as JSON. */
function answerOf(decision: CallDecision): string | null {
  switch (decision.type) {
    case "output":
      return cleanJson(decision.output ?? null);
    case "failed":
      return cleanJson(decision.errorText);
    case "denied":
      return decision.reason === undefined ? null : cleanJson(decision.reason);
    default:
      return null;
  }
}

function decisionOf({ decision: type, answer }: Selectable<AwaitedCallTable>): CallDecision | undefined {
  const value: unknown = answer === null ? undefined : JSON.parse(answer);
  switch (type) {
    case null:
      return undefined;
    case "output":
      return { type, output: value ?? null };
    case "failed":
      return { type, errorText: typeof value === "string" ? value : "" };
    case "denied":
      return { type, ...(typeof value === "string" && { reason: value }) };
    default:
      return { type };
  }
}
