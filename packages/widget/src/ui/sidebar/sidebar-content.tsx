import { useState } from "react";
import { safeLink } from "../../markdown/safe-link.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { FailureNote } from "../primitives/failure-note.tsx";
import { Icon } from "../primitives/icon.tsx";
import { Mark } from "../primitives/mark.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import { ThreadList } from "../thread-list/thread-list.tsx";

/** The product's own bot, used unless the config names another address. */
const FEEDBACK_URL = "https://t.me/nitka_feedback_bot";

/** The product's name, the button for a new thread, the list of threads, the feedback link. */
export function SidebarContent({ expanded }: { readonly expanded: boolean }) {
  const { actions, words, productUrl } = useChat();
  const { title = "Nitka", titleUrl = productUrl, feedbackUrl = FEEDBACK_URL } = useChatState((state) => state.config);
  const createFailure = useChatState((state) => state.threads.createFailure);
  const [creating, setCreating] = useState(false);
  const create = () => {
    setCreating(true);
    void actions.newThread().finally(() => setCreating(false));
  };

  const feedbackHref = feedbackUrl === false ? undefined : safeLink(feedbackUrl);
  const tooltip = (text: string) => (expanded ? undefined : text);
  return (
    <div className="sidebar-content">
      <OutwardLink className="sidebar-row product-link" href={safeLink(titleUrl)} data-tooltip={tooltip(title)}>
        <Mark />
        <span className="sidebar-label">{title}</span>
      </OutwardLink>
      <button
        type="button"
        className="sidebar-row new-chat"
        data-tooltip={tooltip(words.sidebar.newChat)}
        aria-busy={creating || undefined}
        onClick={create}
      >
        <Icon name="new-chat" />
        <span className="sidebar-label">{words.sidebar.newChat}</span>
      </button>
      {createFailure && <FailureNote title={words.sidebar.createFailed} failure={createFailure} onRetry={create} />}
      <div className="sidebar-list" inert={!expanded}>
        <ThreadList />
      </div>
      {feedbackHref !== undefined && (
        <OutwardLink
          className="sidebar-row feedback-link"
          href={feedbackHref}
          data-tooltip={tooltip(words.sidebar.feedback)}
        >
          <Icon name="feedback" />
          <span className="sidebar-label">{words.sidebar.feedback}</span>
        </OutwardLink>
      )}
    </div>
  );
}
