import type { Part } from "@nitka/protocol";
import { useEffect, useRef } from "react";
import type { RunState } from "../../store/state.ts";
import { ACTIVITY_PAUSE_MS } from "../../timings.ts";
import { useChat } from "../chat-context.tsx";
import { loadToolCalls } from "../parts/load-tool-calls.ts";
import { useAnnounce } from "../primitives/announcer.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";

/**
 * The assistant's activity, below its text. Text that is being written has the writing dot at its own end
 * (styles/markdown-dot.css). Below any other part the dot is shown here.
 */
export function Activity({
  run,
  isAsking,
  lastPart,
}: {
  readonly run: RunState | undefined;
  readonly isAsking: boolean;
  readonly lastPart: Part | undefined;
}) {
  const chat = useChat();
  const { words } = chat;
  const { value: views } = useLoaded(isAsking ? loadToolCalls : undefined);
  const writesText = lastPart?.type === "text";
  const activity =
    run?.phase === "rejoining"
      ? words.message.rejoining
      : isAsking
        ? views?.approvalTexts(chat).activity
        : run?.activity;
  useAnnouncedActivity(isAsking ? undefined : activity);
  if (writesText && !activity) return null;
  return (
    <p className="activity">
      {!writesText && <span className="writing-dot" data-waiting={isAsking || undefined} />}
      {activity ?? <span className="hidden-text">{words.message.writing}</span>}
    </p>
  );
}

/** Announces the assistant's activity, but not each of many short steps. */
function useAnnouncedActivity(activity: string | undefined): void {
  const announce = useAnnounce();
  const quietUntil = useRef(0);
  useEffect(() => {
    if (!activity) return undefined;
    const timer = setTimeout(() => {
      quietUntil.current = performance.now() + ACTIVITY_PAUSE_MS;
      announce(activity);
    }, quietUntil.current - performance.now());
    return () => clearTimeout(timer);
  }, [announce, activity]);
}
