import type { SideEvent } from "./answer-writer.ts";
import { addSuggestions, setActivity } from "../../store/conversation.ts";
import type { ActionContext } from "../action-context.ts";
import { changeConversationIn } from "../action-context.ts";
import type { LazyPageTools } from "../tools/load-page-tools.ts";
import type { TitleTyping } from "../title-typing.ts";

export interface SideEventsOptions {
  readonly context: ActionContext;
  readonly titles: TitleTyping;
  readonly pageTools: Pick<LazyPageTools, "request">;
  readonly threadId: string;
  /** Absent if another page began the run: its title event may be older than the thread's title. */
  readonly begin?: unknown;
  /** Whether the answer is still being written. Afterwards only a title and suggestions are read from its stream. */
  readonly isLive: () => boolean;
}

/**
 * Applies a run's events that change more than its answer. One listener serves all connections of a run, because a replay
 * repeats the tool calls.
 */
export function createSideEvents(options: SideEventsOptions): (event: SideEvent, messageId: string) => unknown {
  const { context, titles, pageTools, threadId, begin, isLive } = options;
  const announcedCalls = new Set<string>();
  const isTitled = () => context.store.get().threads.items.some((item) => item.threadId === threadId && item.title);
  return (event, messageId) => {
    switch (event.type) {
      case "tool-input-available": {
        const { toolCallId, toolName, input: args } = event;
        if (!isLive() || announcedCalls.has(toolCallId)) return undefined;
        announcedCalls.add(toolCallId);
        return context.emit({ type: "toolcall", detail: { threadId, messageId, toolCallId, toolName, args } });
      }
      case "data-thinking":
      case "data-progress":
        return isLive() && changeConversationIn(context, threadId, (now) => setActivity(now, event.text));
      case "data-suggestions":
        // Before the end, suggestions are written with the answer.
        return (
          isLive() ||
          changeConversationIn(context, threadId, (now) => addSuggestions(now, messageId, event.suggestions))
        );
      case "data-tool-request":
      case "tool-approval-request":
        return isLive() && pageTools.request(threadId, event);
      case "data-tool-approved":
        return undefined;
      default:
        return (!begin && isTitled()) || titles.type(threadId, event.title);
    }
  };
}
