/** The tool calls of a scripted backend: which ones wait, who may run them, and which errors clients made with them. */
import type { StreamEvent, ToolAnswer } from "@nitka/protocol";
import { HttpError } from "../transport/http-error.ts";
import type { ScriptedClock } from "./scripted-clock.ts";

/** The time that the backend waits for an answer. */
const TOOL_WAIT_MS = 120_000;

interface Call {
  readonly threadId: string;
  readonly toolName: string;
  readonly kind: "page" | "server";
  readonly append: (event: StreamEvent) => void;
  /** Continues the answer. */
  readonly resume: () => void;
  claim?: string;
  isAllowed: boolean;
  isAnswered: boolean;
  /** How many times a page has run the call. */
  runs: number;
}

export interface ScriptedCalls {
  /** Waits for an answer to the call of this event. */
  begin(event: StreamEvent, place: Pick<Call, "threadId" | "append" | "resume">): boolean;
  /** @throws HttpError if the answer is not accepted */
  answer(threadId: string, answer: ToolAnswer): void;
  /** Called when the run of a thread is over. */
  end(threadId: string): void;
  /** Called when a page runs one of its tools. */
  onRun(toolCallId: string): void;
  readonly wrongs: readonly string[];
}

/** The tools of the scripted page: one that runs once, one that may run again, and one that asks. */
export const pageTools = ["buy", "look", "confirm"] as const;

export function createScriptedCalls(clock: ScriptedClock): ScriptedCalls {
  const calls = new Map<string, Call>();
  const wrongs: string[] = [];
  const conclude = (toolCallId: string, call: Call, event: StreamEvent) => {
    call.isAnswered = true;
    call.append(event);
    clock.after(0, call.resume);
    return toolCallId;
  };
  return {
    wrongs,
    begin(event, place) {
      if (event.type !== "data-tool-request" && event.type !== "tool-approval-request") return false;
      const { type, toolCallId } = event;
      const kind = type === "data-tool-request" ? "page" : "server";
      const toolName = type === "data-tool-request" ? event.toolName : "server";
      const call: Call = { ...place, toolName, kind, isAllowed: false, isAnswered: false, runs: 0 };
      calls.set(toolCallId, call);
      clock.after(TOOL_WAIT_MS, () => {
        if (call.isAnswered) return;
        conclude(toolCallId, call, { type: "tool-output-error", toolCallId, errorText: "Никто не ответил" });
      });
      return true;
    },
    answer(threadId, answer) {
      const { toolCallId } = answer;
      const call = calls.get(toolCallId);
      if (call?.threadId !== threadId) throw refusal(404, "not_found");
      if (call.isAnswered) throw refusal(409, "already_answered");
      if ("claim" in answer) {
        if (call.kind === "server") wrongs.push(`claims ${toolCallId}, a call of the server's tool`);
        call.claim ??= answer.claim;
        if (call.claim !== answer.claim) throw refusal(409, "already_claimed");
        return;
      }
      if (!("approved" in answer)) {
        if (call.kind === "server") wrongs.push(`answers ${toolCallId}, which waits for approval`);
        const event =
          "output" in answer
            ? ({ type: "tool-output-available", toolCallId, output: answer.output } as const)
            : ({ type: "tool-output-error", toolCallId, errorText: answer.errorText } as const);
        conclude(toolCallId, call, event);
      } else if (!answer.approved) {
        conclude(toolCallId, call, { type: "tool-output-denied", toolCallId });
      } else {
        if (call.isAllowed) throw refusal(409, "already_answered");
        call.isAllowed = true;
        call.append({ type: "data-tool-approved", toolCallId });
        if (call.kind === "server") {
          conclude(toolCallId, call, { type: "tool-output-available", toolCallId, output: "готово" });
        }
      }
    },
    end(threadId) {
      for (const call of calls.values()) if (call.threadId === threadId) call.isAnswered = true;
    },
    onRun(toolCallId) {
      const call = calls.get(toolCallId);
      if (!call) {
        wrongs.push(`runs ${toolCallId}, which nobody has called`);
        return;
      }
      call.runs += 1;
      if (call.toolName !== "look" && call.runs > 1) wrongs.push(`runs ${call.toolName} ${toolCallId} twice`);
      if (call.toolName !== "look" && call.claim === undefined) wrongs.push(`runs ${toolCallId} without a claim`);
      if (call.toolName === "confirm" && !call.isAllowed) wrongs.push(`runs ${toolCallId}, which nobody has allowed`);
    },
  };
}

function refusal(status: number, code: string): HttpError {
  return new HttpError(code, { status, code });
}
