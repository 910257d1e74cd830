import type { KeyboardEvent } from "react";
import { useChat } from "../chat-context.tsx";
import { useAnnounced } from "../primitives/announcer.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/** A dot on the launcher's button: the visitor has not seen the notice yet. The button's name says the same. */
export function NoticeMark() {
  return <span className="notice-mark" />;
}

/** The host's notice beside the launcher's button. A press opens the chat. */
export function LauncherNotice({
  text,
  onDismiss,
}: {
  readonly text: string | undefined;
  readonly onDismiss: () => void;
}) {
  const { actions, words } = useChat();
  useAnnounced(text);
  const dismiss = () => {
    actions.dismissNotice();
    onDismiss();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") dismiss();
  };
  if (text === undefined) return null;
  return (
    <div className="launcher-notice" part="notice">
      <button
        type="button"
        className="launcher-notice-text"
        dir="auto"
        onClick={() => actions.openPanel()}
        onKeyDown={onKeyDown}
      >
        {text}
      </button>
      <IconButton icon="close" label={words.launcher.dismiss} onClick={dismiss} onKeyDown={onKeyDown} />
    </div>
  );
}
