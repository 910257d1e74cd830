import { useCallback, useEffect, useMemo, useRef } from "react";
import { groupThreads } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { AfterDelay } from "../primitives/after-delay.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { ThreadRow } from "./thread-row.tsx";
import { useToday } from "./use-today.ts";

/** The visitor's threads, newest first, in the groups «today» and «earlier». */
export function ThreadList() {
  const { actions, words } = useChat();
  const load = useChatState((state) => state.threads.load);
  const items = useChatState((state) => state.threads.items);
  const activeId = useChatState((state) => state.threads.activeId);
  const highlightedId = useChatState((state) => state.threads.highlightedId);
  const older = useChatState((state) => state.threads.older);
  const loadOlder = useCallback(() => void actions.loadOlderThreads(), [actions]);
  const today = useToday();
  const groups = useMemo(() => groupThreads(items, today), [items, today]);
  return (
    <nav className="thread-list" data-region aria-label={words.sidebar.chats} aria-busy={load.status === "loading"}>
      <h2 className="thread-list-title">{words.sidebar.chats}</h2>
      {load.status === "failed" && (
        <FailureNote
          title={words.sidebar.loadFailed}
          failure={load.failure}
          onRetry={() => void actions.reloadThreads()}
        />
      )}
      {load.status === "loading" && items.length === 0 && (
        <AfterDelay>
          <ThreadListSkeleton label={words.sidebar.loading} />
        </AfterDelay>
      )}
      {(["today", "earlier"] as const).map(
        (group) =>
          groups[group].length > 0 && (
            <section key={group} className="thread-group">
              <h3 className="thread-group-title">{words.sidebar[group]}</h3>
              <ul>
                {groups[group].map((thread) => (
                  <ThreadRow
                    key={thread.threadId}
                    thread={thread}
                    active={thread.threadId === activeId}
                    highlighted={thread.threadId === highlightedId}
                  />
                ))}
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

/** Asks for older threads when the end of the list is within 200 px of being visible. */
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

function ThreadListSkeleton({ label }: { readonly label: string }) {
  return (
    <div className="thread-list-skeleton">
      <span className="hidden-text">{label}</span>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  );
}
