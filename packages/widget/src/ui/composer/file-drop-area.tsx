import { useState } from "react";
import type { ReactNode } from "react";
import { attachmentRules } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { Icon } from "../primitives/icon.tsx";
import { hasFiles } from "./transferred-files.ts";

/** Attaches files that are dropped anywhere over the conversation to the draft. */
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
  const [isOver, setOver] = useState(false);
  return (
    // `presentation`: with a keyboard, files are attached by the button beside the composer.
    <div
      role="presentation"
      className={className}
      onDragOver={(event) => {
        if (!takesFiles || !hasFiles(event.dataTransfer)) return;
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
        if (!takesFiles || !hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        actions.addFiles(threadId, [...event.dataTransfer.files]);
        focusComposer(event.currentTarget);
      }}
    >
      {children}
      {isOver && (
        <div className="drop-hint">
          <Icon name="attach" />
          {words.composer.dropHere}
        </div>
      )}
    </div>
  );
}
