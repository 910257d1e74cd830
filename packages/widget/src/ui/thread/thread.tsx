import type { Message } from "@nitka/protocol";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { conversationOf, isRunning, keyOf } from "../../store/selectors.ts";
import type { Conversation } from "../../store/state.ts";
import { createVisibleBranch } from "../../store/visible-branch.ts";
import { sameItems, useChat, useChatState } from "../chat-context.tsx";
import { MessageView } from "../message/message-view.tsx";
import { createThreadScope, ThreadScopeContext, useThreadScope } from "../message/thread-scope.ts";
import { focusComposer, focusedIn } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { createScrollFollower } from "./scroll-follower.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { useToday } from "../use-today.ts";
import { useThreadWindow } from "./use-thread-window.ts";

/** It also announces text that was written before it has loaded. */
const loadBeside = loadChunk(() => import("./after-messages.tsx"));
const loadNextQuestions = loadChunk(() => import("../message/next-questions.tsx"));

type VisibleBranch = ReturnType<typeof createVisibleBranch>;

/** The messages of one thread. It is mounted anew for each thread, so each thread opens at its end. */
export function Thread({ threadId, notice }: { readonly threadId: string; readonly notice: ReactNode }) {
  const { words, language } = useChat();
  const [visibleBranch] = useState(createVisibleBranch);
  const viewport = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [follower] = useState(createScrollFollower);
  const [scope] = useState(() => createThreadScope(threadId, follower.stopFollowing));
  const { value: beside, retry: retryBeside } = useLoaded(loadBeside);
  const wholeScope = useMemo(
    () => (beside ? { ...scope, beside: beside.createBeside(language) } : scope),
    [scope, beside, language],
  );
  const [following, setFollowing] = useState(true);
  const [isUnseen, setUnseen] = useState(false);
  // The lines between the days change after midnight.
  useToday();

  const count = useChatState((state) => visibleBranch(conversationOf(state, threadId)).length);
  const { from, to, reopen } = useThreadWindow(viewport, count);
  const keys = useChatState((state) => keysOf(conversationOf(state, threadId), visibleBranch, from, to), sameItems);
  const running = useChatState((state) => isRunning(state, threadId));
  // Content that has grown out of sight counts as new until the visitor scrolls there.
  const grows = running && !following;
  if (grows ? !isUnseen : isUnseen && following) setUnseen(grows);
  const questionId = useChatState((state) => conversationOf(state, threadId).run?.questionId);
  const suggestions = useChatState((state) => nextSuggestions(conversationOf(state, threadId), visibleBranch));
  const { value: nextQuestions } = useLoaded(suggestions && loadNextQuestions);

  useLayoutEffect(() => {
    if (!viewport.current || !content.current) return undefined;
    // A focused scroller scrolls by keys, but Safari does not make scrollers focusable.
    viewport.current.tabIndex = 0;
    return follower.attach(viewport.current, content.current, setFollowing);
  }, [follower]);
  const goToEnd = useCallback(
    ({ smooth }: { readonly smooth: boolean }) => {
      const isRemounted = reopen();
      // Newly mounted messages have no content to scroll through smoothly.
      follower.followEnd({ smooth: smooth && !isRemounted });
    },
    [follower, reopen],
  );
  const onNewQuestion = useCallback(() => {
    if (viewport.current) keepFocusFromActions(viewport.current);
    goToEnd({ smooth: false });
    retryBeside();
  }, [goToEnd, retryBeside]);
  useNewQuestion(questionId, onNewQuestion);
  const [asked, setAsked] = useState(questionId);
  if (questionId !== undefined && questionId !== asked) setAsked(questionId);

  return (
    <ThreadScopeContext value={wholeScope}>
      <section ref={viewport} className="thread-viewport" aria-keyshortcuts="F6" aria-label={words.thread.label}>
        <div ref={content} className="thread" part="thread" data-running={running || undefined}>
          {notice}
          {keys.map((key, index) => (
            <MessageAt key={key} index={from + index} threadId={threadId} visibleBranch={visibleBranch} />
          ))}
          {nextQuestions && suggestions && to >= count && (
            <nextQuestions.NextQuestions threadId={threadId} suggestions={suggestions} />
          )}
        </div>
      </section>
      <div className="scroll-down-place">
        <IconButton
          icon="arrow-down"
          label={words.thread.scrollDown}
          className="scroll-down"
          hidden={following && to >= count}
          aria-description={isUnseen ? words.thread.newBelow : undefined}
          data-unseen={isUnseen || undefined}
          onClick={(event) => {
            focusComposer(event.currentTarget);
            goToEnd({ smooth: true });
          }}
        />
      </div>
      {beside && <beside.ThreadVoices scope={wholeScope} asked={asked} />}
    </ThreadScopeContext>
  );
}

/** Calls back for each new run after the first render. */
function useNewQuestion(questionId: string | undefined, onNewQuestion: () => void): void {
  const lastId = useRef(questionId);
  useEffect(() => {
    const isNew = questionId !== undefined && questionId !== lastId.current;
    lastId.current = questionId;
    if (isNew) onNewQuestion();
  }, [questionId, onNewQuestion]);
}

/**
 * Moves the focus from a message's buttons to the composer when the host sends a question while a button has the focus. The
 * buttons disappear during a run, and the focus would be lost with them.
 */
function keepFocusFromActions(viewport: HTMLElement): void {
  if (focusedIn(viewport)?.closest("[data-message-actions]")) focusComposer(viewport);
}

/** One message. It selects itself from the state, so that only the answer renders again while it grows. */
function MessageAt({
  index,
  threadId,
  visibleBranch,
}: {
  readonly index: number;
  readonly threadId: string;
  readonly visibleBranch: VisibleBranch;
}) {
  const entry = useChatState((state) => visibleBranch(conversationOf(state, threadId))[index]);
  const { beside } = useThreadScope();
  const before = useChatState((state) => visibleBranch(conversationOf(state, threadId))[index - 1]?.message);
  return (
    entry && (
      <>
        {beside && <beside.DayLine threadId={threadId} message={entry.message} before={before} texts={beside.texts} />}
        <MessageView entry={entry} />
      </>
    )
  );
}

/** The suggestions after the shown branch's last message, while no run is active. */
function nextSuggestions(conversation: Conversation, visibleBranch: VisibleBranch): Message["suggestions"] {
  return conversation.run ? undefined : visibleBranch(conversation).at(-1)?.message.suggestions;
}

function keysOf(conversation: Conversation, visibleBranch: VisibleBranch, from: number, to: number): readonly string[] {
  return visibleBranch(conversation)
    .slice(from, to)
    .map(({ message }) => keyOf(conversation, message.id));
}
