import { activeThread, conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { Composer } from "../composer/composer.tsx";
import { FileDropArea } from "../composer/file-drop-area.tsx";
import { AfterDelay } from "../primitives/after-delay.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { EmptyThread } from "./empty-thread.tsx";
import { Thread } from "./thread.tsx";

/** The conversation that is open, and below it where the visitor writes. */
export function ChatBody() {
  const threadId = useChatState((state) => activeThread(state)?.threadId);
  return (
    <FileDropArea threadId={threadId} className="chat-body">
      {threadId === undefined ? <NoThread /> : <ThreadOrState key={threadId} threadId={threadId} />}
      <div className="composer-dock">
        <Composer threadId={threadId} />
      </div>
    </FileDropArea>
  );
}

function ThreadOrState({ threadId }: { readonly threadId: string }) {
  const { actions, words } = useChat();
  const history = useChatState((state) => conversationOf(state, threadId).history);
  const failure = useChatState((state) => conversationOf(state, threadId).failure);
  const empty = useChatState((state) => conversationOf(state, threadId).messages.length === 0);
  const notice =
    history === "loading" ? (
      <p className="loading-note">{words.thread.loading}</p>
    ) : history === "failed" ? (
      <FailureNote
        title={words.thread.loadFailed}
        failure={failure}
        onRetry={() => void actions.reloadHistory(threadId)}
      />
    ) : null;

  if (!empty) return <Thread threadId={threadId} notice={notice} />;
  if (notice) return <div className="thread-state">{notice}</div>;
  return history === "ready" ? <EmptyThread threadId={threadId} /> : <div className="thread-state" />;
}

function NoThread() {
  const { actions, words } = useChat();
  const status = useChatState((state) => state.threads.status);
  const failure = useChatState((state) => state.threads.failure);
  const listInSight = useChatState(({ sidebar }) => sidebar.open && !sidebar.compact);
  return (
    <div className="thread-state">
      {status === "failed" && !listInSight && (
        <FailureNote title={words.sidebar.loadFailed} failure={failure} onRetry={() => void actions.reloadThreads()} />
      )}
      {status === "loading" && (
        <AfterDelay>
          <p className="loading-note">{words.thread.loading}</p>
        </AfterDelay>
      )}
    </div>
  );
}
