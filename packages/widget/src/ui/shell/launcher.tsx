import { useState } from "react";
import { useChat, useChatState } from "../chat-context.tsx";
import { Icon } from "../primitives/icon.tsx";
import { Mark } from "../primitives/mark.tsx";
import { useFocusBack } from "../primitives/use-focus-back.ts";
import { LauncherPanel } from "./launcher-panel.tsx";

/** A floating button, and the panel that it opens. */
export function Launcher() {
  const { actions, words } = useChat();
  const open = useChatState((state) => state.panelOpen);
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
        part="launcher"
        aria-label={label}
        aria-expanded={open}
        data-tooltip={label}
        onClick={() => (open ? actions.closePanel() : actions.openPanel())}
      >
        {open ? <Icon name="chevron-down" /> : <Mark />}
      </button>
    </>
  );
}
