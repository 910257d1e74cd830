import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { activeThreadId, conversationOf, readyConversation } from "../../store/selectors.ts";
import type { Failure } from "../../store/state.ts";
import { loadChunk } from "../../load-chunk.ts";
import { LOADING_SILENCE_MS } from "../../timings.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { Composer } from "../composer/composer.tsx";
import { useDocumentView } from "../markdown/markdown-provider.tsx";
import { Announced, useAnnounced } from "../primitives/announcer.tsx";
import { AfterDelay } from "../primitives/after-delay.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { Loaded } from "../primitives/use-loaded.ts";
import { Mark } from "../primitives/icon.tsx";
import { inNewTab } from "../primitives/outward-link.tsx";
import { Suggestions } from "../primitives/suggestions.tsx";

/** The view of messages is most of the code. The visitor can write without it, so it loads at the same time as the history. */
const loadThread = loadChunk(() => import("./thread.tsx"));

type ThreadCode = Loaded<Awaited<ReturnType<typeof loadThread>>>;

/** The open conversation, and below it the composer. */
export function ChatBody() {
  const threadId = useChatState(activeThreadId);
  const code = useThreadCode();
  // A thread without messages and no thread share one view, so that a suggestion does not move while a thread opens.
  const isEmpty = useChatState((state) =>
    threadId === undefined
      ? state.threads.load.status === "ready"
      : readyConversation(state, threadId)?.messages.length === 0,
  );
  return (
    <div className="chat-body">
      {isEmpty ? (
        <EmptyThread threadId={threadId} />
      ) : threadId === undefined ? (
        <NoThread />
      ) : (
        <ThreadOrState key={threadId} threadId={threadId} code={code} />
      )}
      <div className="composer-dock">
        <OfflineNote />
        <ConsentNote />
        <Composer threadId={threadId} />
        <AiNotice />
      </div>
    </div>
  );
}

/** Loads the view of messages together with its stylesheets. */
function useThreadCode(): ThreadCode {
  const { styleAnswers } = useChat();
  const load = useMemo(() => {
    const both = async () => (await Promise.all([loadThread(), styleAnswers()]))[0];
    return Object.assign(both, { arrived: loadThread.arrived });
  }, [styleAnswers]);
  return useLoaded(load);
}

/** The messages of a thread, or in their place a loading note or a failure. */
function ThreadOrState({ threadId, code }: { readonly threadId: string; readonly code: ThreadCode }) {
  const { actions, words } = useChat();
  const load = useChatState((state) => conversationOf(state, threadId).load);
  const empty = useChatState((state) => conversationOf(state, threadId).messages.length === 0);
  const isAsked = useChatState((state) => conversationOf(state, threadId).run !== undefined);
  // A history renders once: its messages wait for the parser, which loads at the same time. A new question does not wait.
  const { isLoading: isParserLoading } = useDocumentView();
  const [isShown, setShown] = useState(false);
  if (!isShown && !empty && (isAsked || !isParserLoading)) setShown(true);

  const loading = <LoadingNote />;
  const failed = (retry: () => void, failure?: Failure) => (
    <FailureNote title={words.thread.loadFailed} failure={failure} onRetry={retry} />
  );
  const notice =
    load.status === "loading"
      ? loading
      : load.status === "failed"
        ? failed(() => void actions.reloadConversation(threadId), load.failure)
        : null;

  if (empty) return <ThreadState>{notice}</ThreadState>;
  if (code.value && isShown) return <code.value.Thread threadId={threadId} notice={notice} />;
  return <ThreadState>{code.error ? failed(code.retry) : loading}</ThreadState>;
}

function NoThread() {
  const { actions, words } = useChat();
  const load = useChatState((state) => state.threads.load);
  const isListVisible = useChatState(({ sidebar }) => sidebar.open && !sidebar.compact);
  return (
    <ThreadState>
      {load.status === "failed" && !isListVisible && (
        <FailureNote
          title={words.sidebar.loadFailed}
          failure={load.failure}
          onRetry={() => void actions.reloadThreads()}
        />
      )}
      {load.status === "loading" && (
        <AfterDelay>
          <LoadingNote />
        </AfterDelay>
      )}
    </ThreadState>
  );
}

function LoadingNote() {
  const text = useChat().words.thread.loading;
  return (
    <>
      <p className="loading-note">{text}</p>
      <AfterDelay ms={LOADING_SILENCE_MS}>
        <Announced text={text} />
      </AfterDelay>
    </>
  );
}

/** A note in place of the messages. */
function ThreadState({ children }: { readonly children: ReactNode }) {
  return (
    <div className="thread-state" aria-keyshortcuts="F6">
      {children}
    </div>
  );
}

/** Says that there is no network, and that a message will be sent later. */
function OfflineNote() {
  const { words } = useChat();
  const offline = useChatState((state) => state.offline);
  const text = offline ? words.composer.offline : "";
  useAnnounced(text);
  return text && <p className="offline-note">{text}</p>;
}

/** The consent that the visitor gives with the first question. */
function ConsentNote() {
  const consent = useChatState((state) => state.consent);
  useAnnounced(consent?.isAwaited ? consent.text : "");
  return consent && <DockNote id="consent" className="consent-note" text={consent.text} url={consent.url} />;
}

/** Says that an AI answers. */
function AiNotice() {
  const { words } = useChat();
  const { notice } = useChatState((state) => state.config);
  return notice && <DockNote className="ai-notice" text={notice.text ?? words.composer.notice} url={notice.url} />;
}

/** A text of the host beside the composer, with a link to more. */
function DockNote({
  text,
  url,
  ...rest
}: {
  readonly id?: string;
  readonly className: string;
  readonly text: string;
  readonly url: string | undefined;
}) {
  const { words } = useChat();
  const href = url && safeLink(url);
  return (
    <p {...rest}>
      {text}
      {href && (
        <>
          {" "}
          <a {...inNewTab} href={href}>
            {words.composer.noticeMore}
          </a>
        </>
      )}
    </p>
  );
}

/** A greeting and suggestions, for a thread without messages. A suggestion creates a thread if there is none yet. */
function EmptyThread({ threadId }: { readonly threadId: string | undefined }) {
  const { actions, words } = useChat();
  const { greeting, suggestions } = useChatState((state) => state.config);
  const choices = suggestions ?? [
    { title: words.thread.suggestWeather, prompt: words.thread.suggestWeather },
    { title: words.thread.suggestEssay, prompt: words.thread.suggestEssay },
  ];
  return (
    <div className="empty-thread" aria-keyshortcuts="F6">
      <div className="greeting">
        <span className="greeting-thread">
          <Mark />
        </span>
        <h2 className="greeting-title">{greeting?.title ?? words.thread.greetingTitle}</h2>
        <p className="greeting-subtitle">{greeting?.subtitle ?? words.thread.greetingSubtitle}</p>
      </div>
      {choices.length > 0 && (
        <Suggestions
          label={words.thread.suggestions}
          choices={choices}
          onAsk={(prompt) => void actions.sendText(threadId, prompt)}
        />
      )}
    </div>
  );
}
