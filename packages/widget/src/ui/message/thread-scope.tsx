import { createContext, use } from "react";
import { InternalError } from "../internal-error.ts";

/** To the version before or after. */
export type Step = -1 | 1;

/** What a message knows of the thread that it stands in. */
export interface ThreadScope {
  readonly threadId: string;
  /** What is about to change must not move what the visitor is looking at: the thread stops following its end. */
  readonly holdStill: () => void;
  /** A branch was chosen by the arrow for this step: its own arrow is to have the focus when it appears. */
  readonly walk: (messageId: string, step: Step) => void;
  /** The step by which this branch was chosen, if it was. Asked once: the answer is then forgotten. */
  readonly takeStep: (messageId: string) => Step | undefined;
}

const ThreadScopeContext = createContext<ThreadScope | undefined>(undefined);

export const ThreadScopeProvider = ThreadScopeContext;

export function useThreadScope(): ThreadScope {
  const scope = use(ThreadScopeContext);
  if (!scope) throw new InternalError("A message was rendered outside a thread. Render it inside <Thread>.");
  return scope;
}

/** @param holdStill called before anything that would move what the visitor looks at */
export function createThreadScope(threadId: string, holdStill: () => void): ThreadScope {
  let walked: { readonly messageId: string; readonly step: Step } | undefined;
  return {
    threadId,
    holdStill,
    walk(messageId, step) {
      holdStill();
      walked = { messageId, step };
    },
    takeStep(messageId) {
      if (walked?.messageId !== messageId) return undefined;
      const { step } = walked;
      walked = undefined;
      return step;
    },
  };
}
