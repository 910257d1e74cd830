/** The tool calls of a running answer that wait for the visitor or the page, as this page knows them. */
import type { CallState, Conversation } from "./state.ts";
import { without } from "./without.ts";

/** Sets what a call of the run waits for. Without a state, it waits for nothing. */
export function setCall(conversation: Conversation, toolCallId: string, call: CallState | undefined): Conversation {
  const { run } = conversation;
  if (!run || run.calls?.[toolCallId] === call) return conversation;
  const calls = call ? { ...run.calls, [toolCallId]: call } : without(run.calls ?? {}, toolCallId);
  return { ...conversation, run: { ...run, calls } };
}
