import type { ToolAnswer } from "@nitka/protocol";
import { HttpError, isTemporary } from "../../transport/http-error.ts";
import type { Transport } from "../../transport/transport.ts";
import { TOOL_ANSWER_DELAYS_MS } from "../../timings.ts";
import type { ActionContext } from "../action-context.ts";
import { createRetryWait } from "../retry-wait.ts";

/**
 * The backend's response. `taken` (409): another page or an earlier attempt was first. `over` (404): nothing waits for the
 * answer any more.
 */
export type PostOutcome = "accepted" | "taken" | "over";

/**
 * Sends the page's answer to a tool call, and repeats it until the backend responds or the signal aborts. Repeating is safe,
 * because the first answer counts.
 *
 * Rejects with the signal's reason, or with the `HttpError` of a backend that refuses the answer.
 */
export async function postToolAnswer(
  context: ActionContext,
  threadId: string,
  answer: ToolAnswer,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const post: Transport["answerTool"] = context.transport.answerTool;
  if (!post) throw new Error("the backend announces neither clientTools nor approvals");
  const retryWait = createRetryWait(context, signal);
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      // A hanging request must not keep a call that is over.
      await Promise.race([post(threadId, answer), aborted(signal)]);
      return "accepted";
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpError)) throw error;
      if (error.status === 409) return "taken";
      if (error.status === 404) return "over";
      if (!isTemporary(error)) throw error;
      await retryWait.take(TOOL_ANSWER_DELAYS_MS[Math.min(attempt, TOOL_ANSWER_DELAYS_MS.length - 1)] ?? 0, error);
    }
  }
}

/** Rejects when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
