/** The search in the list of threads. This chunk loads if the backend supports searching and the list is long. */
import type { Thread } from "@nitka/protocol";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { englishOf } from "../../i18n/language-of.ts";
import { searchWords } from "../../i18n/search-words.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import { LoadingRows } from "../primitives/after-delay.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { focusedIn } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { Icon } from "../primitives/icon.tsx";
import { isComposing } from "../primitives/is-composing.ts";
import { markedWords } from "./marked-words.ts";
import css from "./thread-search.css?inline";

/** The maximum length of a query that backends accept. */
const MAX_QUERY_CHARS = 200;

/** A field in the list's head. Its text is sent to the backend, so the field does not exist before the visitor agrees. */
export function ThreadSearch() {
  const mayAsk = useChatState(({ consent }) => consent === undefined);
  return mayAsk && <SearchField />;
}

/** The search field. Its results replace the list until it is empty. */
function SearchField() {
  const { actions, words, locale } = useChat();
  const texts = { ...searchWords[locale], ...words.search };
  const search = useChatState(({ threads }) => threads.search);
  const place = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(search?.query ?? "");
  const [isMissing, setMissing] = useState(false);
  useLayoutEffect(() => adoptStyles(place.current, css), []);
  useAnnouncedHits();

  const write = (query: string) => {
    setText(query);
    // The action's code loads with the first query.
    actions.searchThreads(query).then(
      () => setMissing(false),
      () => setMissing(query !== ""),
    );
  };
  const retry = () => {
    input.current?.focus();
    write(text);
  };
  const clear = () => {
    write("");
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape" && text !== "") {
      event.preventDefault();
      event.stopPropagation();
      clear();
    } else moveFocus(event);
  };
  return (
    <search ref={place} className="thread-search" data-thread-search data-active={search && true}>
      <div className="search-field" data-search-field>
        <Icon name="M8.8 3.2a5.6 5.6 0 1 1 0 11.2 5.6 5.6 0 0 1 0-11.2M12.9 12.9 17 17" />
        <input
          ref={input}
          type="search"
          dir="auto"
          aria-label={texts.field}
          placeholder={texts.field}
          value={text}
          maxLength={MAX_QUERY_CHARS}
          autoComplete="off"
          enterKeyHint="search"
          data-search-stop
          onKeyDown={onKeyDown}
          onChange={(event) => write(event.currentTarget.value)}
        />
        {text !== "" && <IconButton icon="close" label={texts.clear} onKeyDown={onKeyDown} onClick={clear} />}
      </div>
      {isMissing && <FailureNote title={texts.failed} onRetry={retry} />}
      {search && (
        <div className="search-results" aria-busy={search.load.status === "loading" || undefined}>
          {search.load.status === "failed" && (
            <FailureNote title={texts.failed} failure={search.load.failure} onRetry={retry} />
          )}
          {search.load.status === "loading" && search.hits.length === 0 && (
            <LoadingRows label={texts.loading} count={3} />
          )}
          {search.load.status === "ready" && search.hits.length === 0 && (
            <div className="search-none">
              <p>{texts.none}</p>
              <p>{texts.noneAdvice}</p>
            </div>
          )}
          {search.hits.length > 0 && (
            <ul aria-label={texts.results}>
              {search.hits.map((thread) => (
                <Hit key={thread.threadId} thread={thread} query={search.query} onKeyDown={onKeyDown} />
              ))}
            </ul>
          )}
        </div>
      )}
    </search>
  );
}

/** A thread that was found. A press opens it and keeps the search. */
function Hit({
  thread,
  query,
  onKeyDown,
}: {
  readonly thread: Thread;
  readonly query: string;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}) {
  const { actions, store, words } = useChat();
  const { threadId, match } = thread;
  const active = useChatState(({ threads }) => threads.activeId === threadId);
  // The thread may have been renamed since.
  const listed = useChatState(({ threads }) => threads.items.find((one) => one.threadId === threadId)?.title);
  const [opening, setOpening] = useState(false);
  const title = (listed ?? thread.title ?? "").trim();
  const open = async () => {
    setOpening(true);
    await actions.selectThread(threadId);
    setOpening(false);
    const { activeId, search } = store.get().threads;
    if (activeId === threadId || !search) return;
    // Another tab has deleted the thread since. An answered query is not asked again, so the search ends first.
    void actions.searchThreads("");
    void actions.searchThreads(search.query);
  };
  return (
    <li className="thread-row search-hit" data-active={active || undefined} aria-busy={opening || undefined}>
      <button
        type="button"
        className="thread-open"
        data-search-stop
        data-cut
        aria-current={active ? "page" : undefined}
        onClick={() => void open()}
        onKeyDown={onKeyDown}
      >
        <span className="thread-title" dir="auto" lang={title === "" ? englishOf(words.sidebar.untitled) : ""}>
          <span>
            <Marked text={title === "" ? words.sidebar.untitled : title} query={query} />
          </span>
        </span>
        {match && (
          <span className="search-match" dir="auto" lang="">
            <Marked text={match} query={query} />
          </span>
        )}
      </button>
    </li>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return markedWords(text, query).map(({ at, text: piece, isFound }) =>
    isFound ? <mark key={at}>{piece}</mark> : piece,
  );
}

/** Announces how many threads were found, once for each response. */
function useAnnouncedHits(): void {
  const { words, locale } = useChat();
  const announce = useAnnounce();
  const search = useChatState(({ threads }) => threads.search);
  const answered = search?.load.status === "ready" ? search.hits : undefined;
  const told = useRef(answered);
  useEffect(() => {
    if (!answered || told.current === answered) return;
    told.current = answered;
    const texts = { ...searchWords[locale], ...words.search };
    announce(
      answered.length > 0 ? texts.found(answered.length) || searchWords[locale].found(answered.length) : texts.none,
    );
  }, [announce, answered, locale, words]);
}

/** Arrows move the focus from the field to the results and back. Enter in the field opens the first result. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const search = event.currentTarget.closest("[data-thread-search]");
  const stops = [...(search?.querySelectorAll<HTMLElement>("[data-search-stop]") ?? [])];
  const focused = focusedIn(event.currentTarget);
  const index = stops.findIndex((stop) => stop === focused);
  if (index === -1) return;
  const isField = index === 0;
  if (event.key === "Enter" && isField) {
    event.preventDefault();
    stops[1]?.click();
    return;
  }
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, ...(!isField && { Home: 1, End: stops.length - 1 }) };
  const stop = Object.hasOwn(next, event.key) && stops[next[event.key as keyof typeof next] ?? -1];
  if (!stop) return;
  event.preventDefault();
  stop.focus();
}
