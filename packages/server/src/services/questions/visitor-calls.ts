import type { PageTool, StreamEvent, ToolAnswer } from "@nitka/protocol";
import { ChatError, unprocessable } from "../../chat-error.ts";
import type { Approval, Denied, PageOutcome, RunVisitor, VisitorCall } from "../../model/run-visitor.ts";
import type { CallDecision, DecidedBy, NewAwaitedCall } from "../../storage/awaited-calls.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { Telling } from "../../storage/webhooks.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import type { CallWait } from "../waiting/call-wait.ts";
import type { Log } from "../log.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import type { RunMetrics } from "../run-metrics.ts";
import { RunWaits } from "../runs/run-waits.ts";
import { webhookTelling } from "../webhooks/telling.ts";
import { MAX_TOOL_WAIT_MS } from "../timings.ts";
import { whenStorageIsThere } from "../waiting/when-storage-is-there.ts";

/** The tool calls that wait for visitors. Calls are made by this process's runs; answers are accepted for all runs. */
export interface VisitorCalls {
  /** The interface through which a run's model asks the visitor. */
  visitorOf(run: ActiveRun, project: ReadyProject, tools: readonly PageTool[]): RunVisitor;
  /** Ends the waits of a run that has ended or is stopping. */
  end(run: ActiveRun): void;
  /**
   * Takes an answer of the visitor or their page to a call, whichever instance has the run.
   *
   * @throws ChatError `not_found`, `already_answered`, `already_claimed`, or `unprocessable` for an output where an
   * approval is expected
   */
  answer(owner: Owner, threadId: string, answer: ToolAnswer): Promise<void>;
  /** The number of calls that wait in this process. */
  readonly waiting: number;
  stop(): void;
}

export interface VisitorCallsOptions {
  readonly storage: Pick<Storage, "awaitedCalls" | "runs" | "signals">;
  readonly logger: Log;
  readonly metrics: RunMetrics;
  readonly clock: () => Date;
  readonly projects: ReadonlyMap<string, Pick<ReadyProject, "webhooks">>;
}

export function createVisitorCalls({ storage, logger, metrics, clock, projects }: VisitorCallsOptions): VisitorCalls {
  const calls = storage.awaitedCalls;
  /** The waits by run id. */
  const waits = new Map<string, RunWaits>();

  const stopSignals = storage.signals.subscribe(({ type, runId }) => {
    if (type === "answered") void waits.get(runId)?.look();
  });

  function waitsOf({ runId, owner: { projectId } }: ActiveRun): RunWaits {
    const known = waits.get(runId);
    if (known) return known;
    const onOver = ({ kind }: NewAwaitedCall, outcome: CallDecision["type"]) =>
      metrics.callEnded({ projectId, kind, outcome });
    const made = new RunWaits(runId, { calls, logger, clock, onOver });
    waits.set(runId, made);
    return made;
  }

  /** Stores the call before its request is sent, so that an answer finds it. */
  async function begin(
    run: ActiveRun,
    waitMs: number,
    kind: NewAwaitedCall["kind"],
    { toolCallId, toolName }: VisitorCall,
  ): Promise<CallWait> {
    const call = { runId: run.runId, toolCallId, toolName, kind, askedAt: clock().toISOString() };
    await whenStorageIsThere(() => calls.add(call), run.signal);
    if (run.isEnding) throw new Error("The run is over");
    const ofRun = waitsOf(run);
    const wait = ofRun.add(call, waitMs);
    // A page that guesses the request's id may already have answered.
    void ofRun.look();
    const resume = run.signs.pause();
    wait.decided.then(resume, resume);
    return wait;
  }

  async function* approve(run: ActiveRun, waitMs: number, call: VisitorCall) {
    const { toolCallId } = call;
    const wait = await begin(run, waitMs, "approval", call);
    yield { type: "tool-approval-request", toolCallId, approvalId: toolCallId } as const;
    const decision = await wait.decided;
    if (decision.type === "approved") {
      yield { type: "data-tool-approved", toolCallId } as const;
      return { type: "approved" } as const;
    }
    yield { type: "tool-output-denied", toolCallId } as const;
    return deniedBy(decision, waitMs);
  }

  async function* runOnPage(
    run: ActiveRun,
    waitMs: number,
    call: VisitorCall,
  ): AsyncGenerator<StreamEvent, PageOutcome, undefined> {
    const { toolCallId, toolName, input } = call;
    const wait = await begin(run, waitMs, "page", call);
    yield { type: "data-tool-request", toolCallId, toolName, input };
    const first = await Promise.race([wait.decided, wait.allowed]);
    if (first === undefined) yield { type: "data-tool-approved", toolCallId };
    const decision = await wait.decided;
    if (decision.type === "output" || decision.type === "failed") return decision;
    if (decision.type === "denied") yield { type: "tool-output-denied", toolCallId };
    return deniedBy(decision, waitMs);
  }

  /** The webhook event of a decision. */
  function tellingOf({ projectId }: Owner, toolName: string, decision: CallDecision): Telling | undefined {
    if (decision.type !== "denied") return undefined;
    const told = { fields: { toolName }, texts: { reason: decision.reason } };
    return webhookTelling(projects.get(projectId)?.webhooks, "approval.denied", clock(), told);
  }

  return {
    visitorOf(run, { limits, mustApprove }, tools) {
      const waitMs = Math.min(limits.toolWaitMs ?? MAX_TOOL_WAIT_MS, MAX_TOOL_WAIT_MS);
      return {
        tools,
        reportTools: (opened) => run.openTools(opened),
        mustApprove,
        approve: (call): AsyncGenerator<StreamEvent, Approval, undefined> => approve(run, waitMs, call),
        runOnPage: (call) => runOnPage(run, waitMs, call),
        reportHidden: (names) => {
          const { runId, threadId } = run;
          logger.warn({ runId, threadId, tools: names }, "tools of the page are hidden by tools of the server");
        },
      };
    },

    end({ runId }) {
      waits.get(runId)?.cancel();
      waits.delete(runId);
    },

    async answer(owner, threadId, answer) {
      const run = await storage.runs.findRunning(owner, threadId);
      const key = { runId: run?.runId ?? "", toolCallId: answer.toolCallId };
      const call = run && (await calls.find(key));
      if (!call) throw new ChatError("not_found", "No tool call with this id waits in this thread.");
      const by: DecidedBy = { visitorId: owner.visitorId, at: clock().toISOString() };
      if (call.kind === "approval" && !("approved" in answer)) {
        throw unprocessable("This call waits for approved: true or false. The server runs its tool.");
      }
      if ("claim" in answer) {
        if (await calls.claim(key, answer.claim)) return;
        if ((await calls.find(key))?.decided) throw alreadyAnswered();
        throw new ChatError("already_claimed", "Another page has claimed this call: it runs the tool.");
      }
      if (call.kind === "page" && "approved" in answer && answer.approved) {
        if (!(await calls.allow(key, by))) throw alreadyAnswered();
        return;
      }
      const decision = decisionOf(answer);
      const telling = tellingOf(owner, call.toolName, decision);
      if (!(await calls.decide(key, decision, by, telling))) throw alreadyAnswered();
    },

    get waiting() {
      return [...waits.values()].reduce((sum, { size }) => sum + size, 0);
    },

    stop: stopSignals,
  };
}

function decisionOf(answer: Exclude<ToolAnswer, { readonly claim: string }>): CallDecision {
  if ("output" in answer) return { type: "output", output: answer.output };
  if ("errorText" in answer) return { type: "failed", errorText: answer.errorText };
  if (answer.approved) return { type: "approved" };
  return { type: "denied", ...(answer.reason !== undefined && { reason: answer.reason }) };
}

/** The reason why a call may not run. `waitMs` is used when the time has run out. */
function deniedBy(decision: CallDecision, waitMs: number): Denied {
  if (decision.type === "denied") return decision;
  return { type: "expired", waitedMs: waitMs };
}

function alreadyAnswered(): ChatError {
  return new ChatError("already_answered", "This call no longer waits: it was answered, timed out or was stopped.");
}
