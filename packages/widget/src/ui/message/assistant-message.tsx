import type { Branch } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";
import { useId, useMemo, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { conversationOf } from "../../store/selectors.ts";
import { MessagePlaceContext, useChat, useChatState } from "../chat-context.tsx";
import { indexOfWrittenPart, MessageParts } from "../parts/message-parts.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { Activity } from "./activity.tsx";
import { CopyButton } from "./copy-button.tsx";
import { MessageEnd } from "./message-end.tsx";
import { useThreadScope } from "./thread-scope.ts";

const loadFeedback = loadChunk(() => import("./feedback-controls.tsx"));

/** An answer: text without a bubble, with a line beside it while it is being written. */
export function AssistantMessage({ entry }: { readonly entry: Branch }) {
  const { message } = entry;
  const { actions, words } = useChat();
  const scope = useThreadScope();
  const { threadId, beside } = scope;
  const run = useChatState((state) => {
    const { run: current } = conversationOf(state, threadId);
    return current?.answerId === message.id ? current : undefined;
  });
  const parts = partsOf(message);
  // Screen readers skip busy content, but a question to the visitor is inside the answer.
  const isAsking = Object.values(run?.calls ?? {}).some(({ type }) => type === "asking");
  const running = run !== undefined || message.status?.type === "running";
  const TableTools = running ? undefined : beside?.TableTools;
  const place = useMemo(
    () => ({ threadId, messageId: message.id, running, TableTools }),
    [threadId, message.id, running, TableTools],
  );
  const isRated = useChatState((state) => state.config.features?.feedback) && !running;
  const { value: feedback } = useLoaded(isRated ? loadFeedback : undefined);
  const timeId = useId();
  const [seenRunning, setSeenRunning] = useState(running);
  if (running && !seenRunning) setSeenRunning(true);
  return (
    <article
      className="message assistant-message"
      data-message
      aria-label={words.message.fromAssistant}
      aria-describedby={beside && timeId}
      aria-busy={(running && !isAsking) || undefined}
      data-running={running || undefined}
    >
      <h2 className="hidden-text">{words.message.fromAssistant}</h2>
      <div className="answer">
        <MessagePlaceContext value={place}>
          <MessageParts
            messageId={message.id}
            author="assistant"
            parts={parts}
            running={running}
            appended={run?.appended}
          />
        </MessagePlaceContext>
        {running ? (
          <Activity run={run} isAsking={isAsking} lastPart={parts[indexOfWrittenPart(parts)]} />
        ) : (
          <MessageEnd message={message} isNew={seenRunning} />
        )}
      </div>
      <div className="message-actions" data-message-actions>
        {beside && <beside.AnswerLead entry={entry} scope={scope} />}
        <CopyButton message={message} />
        <IconButton
          icon="regenerate"
          label={words.message.regenerate}
          onClick={(event) => {
            focusComposer(event.currentTarget);
            actions.regenerate(threadId, message.id);
          }}
        />
        {beside && <beside.RegenerateMenu threadId={threadId} message={message} />}
        {isRated && feedback && <feedback.FeedbackControls threadId={threadId} message={message} />}
        {beside && <beside.MessageTime id={timeId} threadId={threadId} message={message} texts={beside.texts} />}
      </div>
    </article>
  );
}
