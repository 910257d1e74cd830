import type { Branch } from "@nitka/protocol/branch";
import { partsOf, textOf } from "@nitka/protocol/message";
import { useId, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { conversationOf } from "../../store/selectors.ts";
import { SentAttachments } from "../attachments/sent-attachments.tsx";
import { useChat, useChatState } from "../chat-context.tsx";
import { MessageParts } from "../parts/message-parts.tsx";
import { FoldButton } from "../primitives/disclosure.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { useRestoredFocus } from "../primitives/focus.ts";
import { CopyButton } from "./copy-button.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { useThreadScope } from "./thread-scope.ts";

/** Few questions are ever edited, so the code of the editor loads with the first. */
const loadEditor = loadChunk(() => import("../composer/edit-composer.tsx"));

/** A question: a bubble on the right with its attachments above it, or the composer that edits it. */
export function UserMessage({ entry }: { readonly entry: Branch }) {
  const { message } = entry;
  const { actions, words } = useChat();
  const scope = useThreadScope();
  const { threadId, beside, stopFollowing } = scope;
  const timeId = useId();
  const [isFolded, setFolded] = useState(true);
  const editing = useChatState((state) => conversationOf(state, threadId).edit?.messageId === message.id);
  const editor = useLoaded(editing ? loadEditor : undefined);
  const editButton = useRestoredFocus(editing);

  const { attachments = [] } = message;
  const isLong = isLongText(textOf(message));
  return (
    <article
      className="message user-message"
      data-message
      aria-label={words.message.fromVisitor}
      aria-describedby={beside && timeId}
      data-editing={editing || undefined}
    >
      <h2 className="hidden-text">{words.message.fromVisitor}</h2>
      {attachments.length > 0 && <SentAttachments attachments={attachments} />}
      {editing && editor.value ? (
        <editor.value.EditComposer threadId={threadId} />
      ) : (
        <>
          <div className="bubble" data-folded={(isLong && isFolded) || undefined}>
            <div className="bubble-text">
              <MessageParts messageId={message.id} author="user" parts={partsOf(message)} running={false} />
            </div>
            {isLong && (
              <FoldButton
                open={!isFolded}
                onToggle={() => {
                  stopFollowing();
                  setFolded(!isFolded);
                }}
              />
            )}
          </div>
          {editing && editor.error && <FailureNote title={words.failures.network} onRetry={editor.retry} />}
          <div className="message-actions" data-message-actions>
            {beside && <beside.MessageTime id={timeId} threadId={threadId} message={message} texts={beside.texts} />}
            {beside && <beside.BranchPicker entry={entry} scope={scope} />}
            <CopyButton message={message} />
            <IconButton
              ref={editButton}
              icon="edit"
              label={words.message.edit}
              onClick={() => {
                stopFollowing();
                actions.beginEdit(threadId, message.id);
              }}
            />
          </div>
        </>
      )}
    </article>
  );
}

/** The number of lines above which a question is folded, and the characters of a line. */
const LONG = { lines: 15, chars: 70 };

/** Whether a question would take most of the window. The text decides, so that nothing is measured and nothing jumps. */
function isLongText(text: string): boolean {
  const lines = text.split("\n", LONG.lines + 1);
  return lines.reduce((sum, line) => sum + Math.ceil((line.length || 1) / LONG.chars), 0) > LONG.lines;
}
