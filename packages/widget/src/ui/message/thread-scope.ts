import type { Message } from "@nitka/protocol";
import type { Branch } from "@nitka/protocol/branch";
import { createContext, use } from "react";
import type { ComponentType, RefObject } from "react";
import type { ReadingState } from "../voice/reading-state.ts";
import type { TimeTexts } from "./time-texts.ts";
import { InternalError } from "../internal-error.ts";

/** A step from one version of a message to the next or previous one. */
export type BranchStep = -1 | 1;

/** What a message knows about its thread. */
export interface ThreadScope {
  readonly threadId: string;
  /** Set once its code has loaded. */
  readonly beside?: BesideMessages;
  /** To be called before a change that would move what the visitor is looking at. The thread then stops following its end. */
  readonly stopFollowing: () => void;
  /** The visitor pressed an arrow to show this version. Its own arrow takes the focus when it is mounted. */
  readonly rememberStep: (messageId: string, step: BranchStep) => void;
  /** The remembered step to this version, if there is one. It is returned only once. */
  readonly takeStep: (messageId: string) => BranchStep | undefined;
}

interface TimedMessage {
  readonly threadId: string;
  readonly message: Message;
  readonly texts: TimeTexts;
}

/** The content beside the text of messages. It loads after them: see ui/thread/after-messages.tsx. */
export interface BesideMessages {
  readonly texts: TimeTexts;
  readonly MessageTime: ComponentType<TimedMessage & { readonly id: string }>;
  readonly DayLine: ComponentType<TimedMessage & { readonly before: Message | undefined }>;
  readonly RegenerateMenu: ComponentType<Omit<TimedMessage, "texts">>;
  readonly reading: ReadingState;
  readonly AnswerLead: ComponentType<{ readonly entry: Branch; readonly scope: ThreadScope }>;
  readonly BranchPicker: ComponentType<{ readonly entry: Branch; readonly scope: ThreadScope }>;
  readonly TableTools: ComponentType<{ readonly frame: RefObject<HTMLElement | null> }>;
}

export const ThreadScopeContext = createContext<ThreadScope | undefined>(undefined);

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
