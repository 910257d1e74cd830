import { createContext, use, useCallback, useId, useMemo, useState } from "react";
import type { ReactNode } from "react";
import { useChat, useChatState } from "../chat-context.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { IconButton } from "../primitives/icon-button.tsx";
import { safeLink } from "../../markdown/safe-link.ts";
import { FailureNote } from "../primitives/failure-note.tsx";
import { Icon, Mark } from "../primitives/icon.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import { ThreadList } from "../thread-list/thread-list.tsx";
import { InternalError } from "../internal-error.ts";

/**
 * The sidebar beside the conversation: expanded, or a rail of icons. In the compact layout it is a sheet that slides in from
 * the left.
 */
export function Sidebar() {
  const { actions, words, afterView } = useChat();
  const { id, open, compact } = useSidebar();
  const placeSheet = useCallback(
    (sheet: HTMLElement) => void afterView.then((loaded) => loaded.placeSheet(sheet)),
    [afterView],
  );
  return compact ? (
    <Dialog
      id={id}
      className="sheet"
      aria-label={words.sidebar.label}
      open={open}
      place={placeSheet}
      onClose={() => actions.closeSheet()}
    >
      <IconButton
        icon="close"
        label={words.attachments.close}
        className="sheet-close"
        onClick={() => actions.closeSheet()}
      />
      <SidebarContent expanded />
    </Dialog>
  ) : (
    <aside id={id} className="sidebar" part="sidebar" aria-label={words.sidebar.label} data-open={open || undefined}>
      <SidebarContent expanded={open} />
    </aside>
  );
}

/** The product's own bot, unless the config names another address. */
const FEEDBACK_URL = "https://t.me/nitka_feedback_bot";

/** The product's name, the button for a new thread, the list of threads, and the feedback link. */
function SidebarContent({ expanded }: { readonly expanded: boolean }) {
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

/** Expands and collapses the sidebar. In the compact layout it opens the sheet. */
export function SidebarToggle() {
  const { actions, words } = useChat();
  const { id, open } = useSidebar();
  return (
    <IconButton
      icon="sidebar"
      label={words.sidebar.label}
      aria-expanded={open}
      aria-controls={id}
      aria-keyshortcuts="Control+B Meta+B"
      onClick={() => actions.toggleSidebar()}
    />
  );
}

/** The values that the sidebar and its toggle share. */
interface SidebarScope {
  /** The id of the sidebar's element, for the toggle's `aria-controls`. */
  readonly id: string;
  /** Whether it is expanded or, in the compact layout, open as a sheet. */
  readonly open: boolean;
  /** Whether the sidebar is a sheet. */
  readonly compact: boolean;
}

const SidebarContext = createContext<SidebarScope | undefined>(undefined);

export function SidebarProvider({ children }: { readonly children: ReactNode }) {
  const id = useId();
  const compact = useChatState(({ sidebar }) => sidebar.compact);
  const open = useChatState(({ sidebar }) => (sidebar.compact ? sidebar.sheetOpen : sidebar.open));
  const scope = useMemo(() => ({ id, open, compact }), [id, open, compact]);
  return <SidebarContext value={scope}>{children}</SidebarContext>;
}

function useSidebar(): SidebarScope {
  const scope = use(SidebarContext);
  if (!scope) {
    throw new InternalError("useSidebar was called outside SidebarProvider.");
  }
  return scope;
}
