import { useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { Icon } from "../primitives/icon.tsx";
import { Mark } from "../primitives/mark.tsx";
import { useFocusBack } from "../primitives/use-focus-back.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { LauncherPanel } from "./launcher-panel.tsx";

const loadNotice = loadChunk(() => import("./launcher-notice.tsx"));

/** A floating button, and the panel that it opens. */
export function Launcher() {
  const { actions, words } = useChat();
  const open = useChatState((state) => state.panelOpen);
  const notice = useChatState((state) => state.notice);
  const { value: noticed } = useLoaded(notice && loadNotice);
  const button = useFocusBack(open);
  // Once opened it stays, so that closing loses neither the place in a thread nor what is unfolded in it.
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
        {notice && noticed && <noticed.UnreadMark />}
        {open ? <Icon name="chevron-down" /> : <Mark />}
      </button>
      {noticed && <noticed.LauncherNotice text={notice?.text} onDismiss={() => button.current?.focus()} />}
    </>
  );
}
