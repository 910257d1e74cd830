import { useState } from "react";
import type { ReactNode } from "react";
import { attachmentRules } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { Icon } from "../primitives/icon.tsx";
import { bringsFiles } from "./transferred-files.ts";

/** Takes the files that are dropped anywhere over the conversation. */
export function FileDropArea({
  threadId,
  className,
  children,
}: {
  readonly threadId: string | undefined;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const { actions, words } = useChat();
  const takesFiles = useChatState((state) => attachmentRules(state.config) !== undefined) && threadId !== undefined;
  const [over, setOver] = useState(false);
  return (
    // Dropping is one way to add a file; the button beside the composer is the way for keys.
    <div
      role="presentation"
      className={className}
      onDragOver={(event) => {
        if (!takesFiles || !bringsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(true);
      }}
      onDragLeave={(event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!takesFiles || !bringsFiles(event.dataTransfer)) return;
        event.preventDefault();
        actions.addFiles(threadId, [...event.dataTransfer.files]);
        focusComposer(event.currentTarget);
      }}
    >
      {children}
      {over && (
        <div className="drop-hint">
          <Icon name="attach" />
          {words.composer.dropHere}
        </div>
      )}
    </div>
  );
}
