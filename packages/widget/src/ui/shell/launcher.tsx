import { useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { Icon } from "../primitives/icon.tsx";
import { Mark } from "../primitives/mark.tsx";
import { useRestoredFocus } from "../primitives/use-restored-focus.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { LauncherPanel } from "./launcher-panel.tsx";

const loadNotice = loadChunk(() => import("./launcher-notice.tsx"));

/** A floating button and the panel that it opens. */
export function Launcher() {
  const { actions, words } = useChat();
  const open = useChatState((state) => state.panelOpen);
  const notice = useChatState((state) => state.notice);
  const { value: noticeViews } = useLoaded(notice && loadNotice);
  const button = useRestoredFocus(open);
  // A panel that was opened stays mounted, so that closing keeps the scroll position and what is unfolded.
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  const label = open ? words.launcher.close : words.launcher.open;
  return (
    <>
      {wasOpen && <LauncherPanel open={open} />}
      <button
        ref={button}
        type="button"
        className="launcher-button"
        data-launcher-button
        part="launcher"
        aria-label={label}
        aria-expanded={open}
        data-tooltip={label}
        onClick={() => (open ? actions.closePanel() : actions.openPanel())}
      >
        {notice && noticeViews && <noticeViews.UnreadMark />}
        {open ? <Icon name="chevron-down" /> : <Mark />}
      </button>
      {noticeViews && <noticeViews.LauncherNotice text={notice?.text} onDismiss={() => button.current?.focus()} />}
    </>
  );
}
