import { useChat, useChatState } from "../chat-context.tsx";
import { Mark } from "../primitives/mark.tsx";
import { Suggestions } from "./suggestions.tsx";

/** A greeting and suggestions, for a thread without messages. A suggestion creates the thread if there is none yet. */
export function EmptyThread({ threadId }: { readonly threadId: string | undefined }) {
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
