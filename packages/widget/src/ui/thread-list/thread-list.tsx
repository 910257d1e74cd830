import type { Thread } from "@nitka/protocol";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { RemovedThread } from "../../store/state.ts";
import { groupThreads, runningThreads } from "../../store/selectors.ts";
import { newestFirst } from "../../store/threads.ts";
import { sameItems, useChat, useChatState } from "../chat-context.tsx";
import { LoadingRows } from "../primitives/after-delay.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { useFailureText } from "../failure-text.ts";
import { loadChunk } from "../../load-chunk.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { useToday } from "../use-today.ts";
import { ThreadRow } from "./thread-row.tsx";

/** The number of threads from which on the list is hard to scan by eye. */
const SEARCHED_FROM = 30;

const loadSearch = loadChunk(() => import("./thread-search.tsx"));
const loadRemovedRow = loadChunk(() => import("./removed-row.tsx"));

/**
 * The visitor's threads, newest first, in the groups «today» and «earlier». It selects for all rows, because with thousands of
 * rows a selector in each would run at every write of an answer.
 */
export function ThreadList() {
  const { actions, store, words } = useChat();
  const { load, items, activeId, highlightedId, typedTitles, older, failures, removed, search } = useChatState(
    (state) => state.threads,
  );
  const running = useChatState(runningThreads, sameItems);
  const failureText = useFailureText();
  const loadOlder = useCallback(() => void actions.loadOlderThreads(), [actions]);
  const today = useToday();
  const isSearched = store.get().config.features?.search && (search || items.length >= SEARCHED_FROM);
  const searching = useLoaded(isSearched ? loadSearch : undefined);
  const removedRow = useLoaded(removed && loadRemovedRow);
  const groups = useMemo(() => groupThreads(withRemoved(items, removed), today), [items, removed, today]);
  return (
    <nav
      className="thread-list"
      aria-keyshortcuts="F6"
      aria-label={words.sidebar.chats}
      aria-busy={load.status === "loading"}
    >
      <h2 className="thread-list-title">{words.sidebar.chats}</h2>
      {/* The field stays even if fewer threads are left, because the rows would jump. */}
      {searching.value && <searching.value.ThreadSearch />}
      {load.status === "failed" && (
        <FailureNote
          title={words.sidebar.loadFailed}
          failure={load.failure}
          onRetry={() => void actions.reloadThreads()}
        />
      )}
      {load.status === "loading" && items.length === 0 && <LoadingRows label={words.sidebar.loading} count={4} />}
      {(["today", "earlier"] as const).map(
        (group) =>
          groups[group].length > 0 && (
            <section key={group} className="thread-group">
              <h3 className="thread-group-title">{words.sidebar[group]}</h3>
              <ul>
                {groups[group].map((thread) => {
                  const { threadId } = thread;
                  const failure = failures[threadId];
                  if (removed?.some((one) => one.thread === thread)) {
                    return removedRow.value ? (
                      <removedRow.value.RemovedRow
                        key={threadId}
                        thread={thread}
                        failure={failure && failureText(failure)}
                      />
                    ) : (
                      // The place is kept while the row's code loads, so that nothing jumps.
                      <li key={threadId} className="removed-row" />
                    );
                  }
                  return (
                    <ThreadRow
                      key={threadId}
                      thread={thread}
                      active={threadId === activeId}
                      highlighted={threadId === highlightedId}
                      running={running.includes(threadId)}
                      typedTitle={typedTitles[threadId]}
                      failure={failure && failureText(failure)}
                    />
                  );
                })}
              </ul>
            </section>
          ),
      )}
      {older.status === "failed" && (
        <FailureNote title={words.sidebar.moreFailed} failure={older.failure} onRetry={loadOlder} />
      )}
      {(older.status === "available" || older.status === "loading") && (
        <OlderThreads key={items.length} onReach={loadOlder} />
      )}
    </nav>
  );
}

/** The list with the places of threads that were just deleted. A thread that is in the list again has no such place. */
function withRemoved(items: readonly Thread[], removed: readonly RemovedThread[] = []): readonly Thread[] {
  if (removed.length === 0) return items;
  const gone = removed
    .map(({ thread }) => thread)
    .filter(({ threadId }) => !items.some((one) => one.threadId === threadId));
  return newestFirst([...items, ...gone]);
}

/** Requests older threads when the end of the list is within 200 px of being visible. */
function OlderThreads({ onReach }: { readonly onReach: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onReach(), {
      rootMargin: "200px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onReach]);
  return (
    <div ref={end} className="thread-list-end">
      <span className="skeleton" />
    </div>
  );
}
