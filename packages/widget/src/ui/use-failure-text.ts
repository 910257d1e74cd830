import type { Failure } from "../store/state.ts";
import { useChat, useChatState } from "./chat-context.tsx";
import { failureText } from "./failure-text.ts";

/** Returns `failureText` for the interface's words and the project's limits. */
export function useFailureText(): (failure: Failure) => string {
  const { words, locale } = useChat();
  const config = useChatState((state) => state.config);
  return (failure) => failureText(failure, { words, locale, config });
}
