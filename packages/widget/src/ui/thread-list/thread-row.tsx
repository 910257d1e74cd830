import type { Thread } from "@nitka/protocol";
import { memo, useEffect, useState } from "react";
import type { KeyboardEvent } from "react";
import { englishOf } from "../../i18n/language-of.ts";
import { loadChunk } from "../../load-chunk.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce, useAnnounced } from "../primitives/announcer.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { useRestoredFocus } from "../primitives/focus.ts";
import { useLoaded } from "../primitives/use-loaded.ts";

/** Few titles are ever changed, so the code of the field loads with the first. */
const loadRenameField = loadChunk(() => import("./rename-field.tsx"));
/** A failure is reported when the field is needed. */
const loadAhead = () => void loadRenameField().catch(() => undefined);

/** One thread in the list. A press opens it. The buttons to rename and delete it appear on hover and focus. */
export const ThreadRow = memo(function ThreadRow({
  thread: { threadId, title: wholeTitle = "" },
  active,
  highlighted,
  running,
  typedTitle,
  failure,
}: {
  readonly thread: Thread;
  readonly active: boolean;
  readonly highlighted: boolean;
  readonly running: boolean;
  /** The typed part of the title while it is being typed. */
  readonly typedTitle: string | undefined;
  /** Why it could not be renamed or removed. */
  readonly failure: string | undefined;
}) {
  const { actions, store, words } = useChat();
  const announce = useAnnounce();
  // The row's last operation. Its failure is shown until another one starts. "rename" means that the title is being edited.
  const [operation, setOperation] = useState<"rename" | "save" | "remove">();
  const renaming = operation === "rename" || operation === "save";
  const field = useLoaded(renaming ? loadRenameField : undefined);
  const openButton = useRestoredFocus(renaming);

  const rename = () => setOperation("rename");
  const onKeyDown = (event: KeyboardEvent) => event.key === "F2" && rename();
  const partialTitle = typedTitle ?? wholeTitle;
  const isUntitled = partialTitle.trim() === "";
  const title = isUntitled ? words.sidebar.untitled : partialTitle;
  const remove = (event: { readonly currentTarget: Element }) => {
    setOperation("remove");
    focusNeighbour(event.currentTarget);
    void actions.archiveThread(threadId);
  };
  const removing = operation === "remove";
  const isFieldMissing = renaming && field.error !== undefined;
  const cause = operation !== "rename" && operation && failure;
  const failed =
    (cause || isFieldMissing) && [renaming ? words.sidebar.renameFailed : words.sidebar.removeFailed, cause].join(" ");
  useAnnounced(failed || "");
  const retry = isFieldMissing ? field.retry : removing && remove;
  useEffect(() => {
    if (!removing) return undefined;
    // This runs when the row is unmounted, because only then is it certain that the thread was removed.
    return () => {
      const { items, removed } = store.get().threads;
      if (items.some((thread) => thread.threadId === threadId)) return;
      const isRestorable = removed?.some(({ thread }) => thread.threadId === threadId);
      announce([words.sidebar.removed(title), isRestorable && words.sidebar.restorable].filter(Boolean).join(" "));
    };
  }, [announce, store, words, removing, title, threadId]);
  return (
    <li
      className="thread-row"
      data-thread-row
      data-active={active || undefined}
      data-highlighted={highlighted || undefined}
      aria-busy={(removing && !failure) || undefined}
    >
      {renaming && field.value ? (
        <field.value.RenameField
          threadId={threadId}
          title={wholeTitle}
          onSave={() => setOperation("save")}
          onDone={() => setOperation(undefined)}
        />
      ) : (
        <>
          <button
            ref={openButton}
            type="button"
            className="thread-open"
            data-thread-open
            data-cut
            aria-current={active ? "page" : undefined}
            // This loads before F2 or a press on the pencil, so that the field exists when the visitor types.
            onFocus={loadAhead}
            onPointerEnter={loadAhead}
            onClick={() => void actions.selectThread(threadId)}
            aria-keyshortcuts="F2"
            onKeyDown={onKeyDown}
          >
            <span className="thread-title" dir="auto" lang={isUntitled ? englishOf(title) : ""}>
              {title}
            </span>
            {running && (
              <span className="running-mark">
                <span className="hidden-text">{words.sidebar.running}</span>
              </span>
            )}
          </button>
          <span className="thread-row-actions">
            <IconButton
              icon="edit"
              label={words.sidebar.rename}
              of={title}
              aria-keyshortcuts="F2"
              onKeyDown={onKeyDown}
              onClick={rename}
            />
            <IconButton icon="remove" label={words.sidebar.remove} of={title} onKeyDown={onKeyDown} onClick={remove} />
          </span>
        </>
      )}
      {failed && (
        <p className="thread-row-failure">
          {failed}{" "}
          {retry && (
            <button type="button" className="link-button" onClick={retry}>
              {words.message.retry}
            </button>
          )}
        </p>
      )}
    </li>
  );
});

/** The button's row is about to disappear: focuses the row below it, otherwise the row above, otherwise the composer. */
function focusNeighbour(button: Element): void {
  const rows = [...(button.closest("nav")?.querySelectorAll("[data-thread-row]:has([data-thread-open])") ?? [])];
  const index = rows.findIndex((row) => row.contains(button));
  const neighbour = rows[index + 1] ?? rows[index - 1];
  if (neighbour) neighbour.querySelector<HTMLElement>("[data-thread-open]")?.focus({ preventScroll: true });
  else focusComposer(button);
}
