import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/** A dot on the launcher's button: there is a notice that the visitor has not seen. */
export function UnreadMark() {
  const { words } = useChat();
  return (
    <span className="unread-mark">
      <span className="hidden-text">{words.launcher.unread}</span>
    </span>
  );
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
  const region = useRef<HTMLOutputElement>(null);
  // Screen readers announce text that is added to a live region, so the region is mounted before its text.
  useEffect(() => region.current?.replaceChildren(text ?? ""), [text]);
  const dismiss = () => {
    actions.dismissNotice();
    onDismiss();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") dismiss();
  };
  return (
    <>
      <output ref={region} className="hidden-text" />
      {text !== undefined && (
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
      )}
    </>
  );
}
