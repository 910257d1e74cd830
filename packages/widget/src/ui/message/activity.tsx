import type { Part } from "@nitka/protocol";
import type { RunState } from "../../store/state.ts";
import { useChat } from "../chat-context.tsx";
import { loadApproval } from "../parts/load-approval.ts";
import { useLoaded } from "../primitives/use-loaded.ts";

/**
 * What the assistant is doing, below what it has written. Text that is being written has the writing dot at its own end
 * (styles/markdown-dot.css); below any other part the dot stands here.
 */
export function Activity({
  run,
  lastPart,
}: {
  readonly run: RunState | undefined;
  readonly lastPart: Part | undefined;
}) {
  const chat = useChat();
  const { words } = chat;
  const isAsking = Object.values(run?.calls ?? {}).some(({ type }) => type === "asking");
  const { value: views } = useLoaded(isAsking ? loadApproval : undefined);
  const writesText = lastPart?.type === "text";
  const activity =
    run?.phase === "rejoining"
      ? words.message.rejoining
      : isAsking
        ? views?.approvalTexts(chat).activity
        : run?.activity;
  if (writesText && !activity) return null;
  return (
    <p className="activity">
      {!writesText && <span className="writing-dot" data-waiting={isAsking || undefined} />}
      {activity ?? <span className="hidden-text">{words.message.writing}</span>}
    </p>
  );
}
