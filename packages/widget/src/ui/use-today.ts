import { useSyncExternalStore } from "react";
import { startOfDay } from "../store/selectors.ts";
import { DAY_CHECK_MS } from "../timings.ts";
import { useChat } from "./chat-context.tsx";

/** The last midnight in the visitor's time zone. The component renders again soon after the next one. */
export function useToday(): number {
  const { now } = useChat();
  return useSyncExternalStore(watchClock, () => startOfDay(now()));
}

function watchClock(look: () => void): () => void {
  const timer = setInterval(look, DAY_CHECK_MS);
  return () => clearInterval(timer);
}
