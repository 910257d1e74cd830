import type { Thread } from "@nitka/protocol";
import { memo, useEffect, useRef, useState } from "react";
import { isRunning } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { failureText } from "../failure-text.ts";
import { focusedIn } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { RenameField } from "./rename-field.tsx";

/** One thread in the list: the row opens it; what can be done with it appears under the hand. */
export const ThreadRow = memo(function ThreadRow({
  thread: { threadId, title: wholeTitle = "" },
  active,
  highlighted,
}: {
  readonly thread: Thread;
  readonly active: boolean;
  readonly highlighted: boolean;
}) {
  const { actions, words, locale } = useChat();
  const typedTitle = useChatState((state) => state.threads.typedTitles[threadId]);
  const running = useChatState((state) => isRunning(state, threadId));
  const failure = useChatState((state) => state.threads.failures[threadId]);
  const config = useChatState((state) => state.config);
  const [renaming, setRenaming] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    if (wasRenaming.current && !renaming && open.current && !focusedIn(open.current)) open.current.focus();
    wasRenaming.current = renaming;
  }, [renaming]);

  const title = typedTitle ?? wholeTitle;
  const shown = title.trim() === "" ? words.sidebar.untitled : title;
  return (
    <li
      className="thread-row"
      data-active={active || undefined}
      data-highlighted={highlighted || undefined}
      data-renaming={renaming || undefined}
    >
      {renaming ? (
        <RenameField threadId={threadId} title={wholeTitle} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <button
            ref={open}
            type="button"
            className="thread-open"
            aria-current={active ? "page" : undefined}
            onClick={() => void actions.selectThread(threadId)}
            onKeyDown={(event) => event.key === "F2" && setRenaming(true)}
          >
            <span className="thread-title">{shown}</span>
            {running && (
              <span className="running-mark">
                <span className="hidden-text">{words.sidebar.running}</span>
              </span>
            )}
          </button>
          <span className="thread-row-actions">
            <IconButton icon="edit" label={words.sidebar.rename} onClick={() => setRenaming(true)} />
            <IconButton
              icon="remove"
              label={words.sidebar.remove}
              onClick={(event) => {
                focusNeighbour(event.currentTarget);
                void actions.archiveThread(threadId);
              }}
            />
          </span>
        </>
      )}
      {failure && (
        <p className="thread-row-failure" role="alert">
          {renaming ? words.sidebar.renameFailed : words.sidebar.removeFailed}{" "}
          {failureText(failure, words, locale, config)}{" "}
          {!renaming && (
            <button type="button" className="link-button" onClick={() => void actions.archiveThread(threadId)}>
              {words.message.retry}
            </button>
          )}
        </p>
      )}
    </li>
  );
});

/** The row that holds the button is about to go: the focus moves to the one below, else above. */
function focusNeighbour(button: Element): void {
  const rows = [...(button.closest(".thread-list")?.querySelectorAll(".thread-row") ?? [])];
  const at = rows.findIndex((row) => row.contains(button));
  (rows[at + 1] ?? rows[at - 1])?.querySelector<HTMLElement>(".thread-open")?.focus({ preventScroll: true });
}
