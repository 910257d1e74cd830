import { useLayoutEffect, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { askingTitle, hasNotice } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import { Icon, Mark } from "../primitives/icon.tsx";
import { useRestoredFocus } from "../primitives/focus.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadToolCalls } from "../parts/load-tool-calls.ts";
import css from "./launcher.css?inline";
import { LauncherPanel } from "./launcher-panel.tsx";

const loadNotice = loadChunk(() => import("./launcher-notice.tsx"));

/** A floating button and the panel that it opens. */
export function Launcher() {
  const chat = useChat();
  const { actions, words } = chat;
  const open = useChatState((state) => state.panelOpen);
  const isMarked = useChatState(hasNotice);
  const notice = useChatState((state) => state.notice);
  const asking = useChatState((state) => (state.panelOpen ? undefined : askingTitle(state)));
  const { value: noticeViews } = useLoaded(isMarked ? loadNotice : undefined);
  const { value: approval } = useLoaded(asking === undefined ? undefined : loadToolCalls);
  const [dismissed, setDismissed] = useState<string>();
  const required =
    approval && asking !== undefined && asking !== dismissed
      ? `${approval.approvalTexts(chat).required}: ${asking}`
      : undefined;
  const button = useRestoredFocus(open);
  useLayoutEffect(() => adoptStyles(button.current, css), [button]);
  // A panel that was opened stays mounted, so that closing it keeps the scroll position and unfolded content.
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  const label = open ? words.launcher.close : words.launcher.open;
  const name = isMarked ? `${label}. ${words.launcher.unread}` : label;
  return (
    <>
      {wasOpen && <LauncherPanel open={open} />}
      <button
        ref={button}
        type="button"
        className="launcher-button"
        data-launcher-button
        part="launcher"
        aria-label={name}
        aria-haspopup="dialog"
        data-tooltip={label}
        onClick={() => (open ? actions.closePanel() : actions.openPanel())}
      >
        {isMarked && noticeViews && <noticeViews.NoticeMark />}
        {open ? <Icon name="chevron-down" /> : <Mark />}
      </button>
      {noticeViews && (
        <noticeViews.LauncherNotice
          text={required ?? notice?.text}
          onDismiss={() => {
            setDismissed(asking);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}
