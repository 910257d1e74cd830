import { createContext, use } from "react";
import type { ReactNode } from "react";
import type { MessageTimes } from "./message-times.ts";
import { InternalError } from "../internal-error.ts";

/** From one version of a message to the one before or after it. */
export type BranchStep = -1 | 1;

/** What a message knows of the thread around it. */
export interface ThreadScope {
  readonly threadId: string;
  /** What shows the times of messages, once its code has loaded. */
  readonly times?: MessageTimes | undefined;
  /** Call it before a change that would move what the visitor is looking at: the thread then stops following its end. */
  readonly stopFollowing: () => void;
  /** The visitor pressed an arrow to show this version: its own arrow takes the focus once it is mounted. */
  readonly rememberStep: (messageId: string, step: BranchStep) => void;
  /** The remembered step to this version, if there is one. It is returned once. */
  readonly takeStep: (messageId: string) => BranchStep | undefined;
}

const ThreadScopeContext = createContext<ThreadScope | undefined>(undefined);

export function ThreadScopeProvider({
  scope,
  children,
}: {
  readonly scope: ThreadScope;
  readonly children: ReactNode;
}) {
  return <ThreadScopeContext value={scope}>{children}</ThreadScopeContext>;
}

export function useThreadScope(): ThreadScope {
  const scope = use(ThreadScopeContext);
  if (!scope) throw new InternalError("A message needs a thread.");
  return scope;
}

export function createThreadScope(threadId: string, stopFollowing: () => void): ThreadScope {
  let remembered: { readonly messageId: string; readonly step: BranchStep } | undefined;
  return {
    threadId,
    stopFollowing,
    rememberStep(messageId, step) {
      remembered = { messageId, step };
    },
    takeStep(messageId) {
      if (remembered?.messageId !== messageId) return undefined;
      const { step } = remembered;
      remembered = undefined;
      return step;
    },
  };
}
