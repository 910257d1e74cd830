import type { Branch } from "@nitka/protocol/branch";
import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import type { BranchStep, ThreadScope } from "./thread-scope.ts";

/** Switches between the versions of a message. It is shown if the message has more than one. */
export function BranchPicker({
  entry: { message, number, count, siblings },
  scope,
}: {
  readonly entry: Branch;
  readonly scope: ThreadScope;
}) {
  const { actions, words } = useChat();
  const { threadId, stopFollowing, rememberStep, takeStep } = scope;
  const previous = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const step = takeStep(message.id);
    if (step === undefined) return;
    const [pressed, other] = step === 1 ? [next, previous] : [previous, next];
    (pressed.current?.disabled ? other : pressed).current?.focus({ preventScroll: true });
  }, [takeStep, message.id]);
  if (count < 2) return null;

  const go = (step: BranchStep) => {
    const messageId = siblings[number - 1 + step];
    if (messageId === undefined) return;
    stopFollowing();
    rememberStep(messageId, step);
    actions.selectBranch(threadId, messageId);
  };
  return (
    <fieldset className="branch-picker" aria-label={words.message.branch(number, count)}>
      <IconButton
        ref={previous}
        icon="chevron-left"
        label={words.message.previousBranch}
        disabled={number === 1}
        onClick={() => go(-1)}
      />
      <span className="branch-number">
        {number} / {count}
      </span>
      <IconButton
        ref={next}
        icon="chevron-right"
        label={words.message.nextBranch}
        disabled={number === count}
        onClick={() => go(1)}
      />
    </fieldset>
  );
}
