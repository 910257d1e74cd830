/** What this page knows of the tool calls of a running answer that wait for the visitor or the page. */
import type { CallState, Conversation } from "./state.ts";
import { without } from "./without.ts";

/** Sets the state of a call of the run; without a state, it waits for nothing any more. */
export function setCall(conversation: Conversation, toolCallId: string, call: CallState | undefined): Conversation {
  const { run } = conversation;
  if (!run || run.calls?.[toolCallId] === call) return conversation;
  const calls = call ? { ...run.calls, [toolCallId]: call } : without(run.calls ?? {}, toolCallId);
  return { ...conversation, run: { ...run, calls } };
}
