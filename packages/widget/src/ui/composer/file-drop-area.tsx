import { useEffect, useState } from "react";
import type { DragEvent, ReactNode, Ref } from "react";
import { activeThreadId, attachmentRules } from "../../store/selectors.ts";
import { REFUSAL_SHOWN_MS } from "../../timings.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { Icon } from "../primitives/icon.tsx";
import { hasFiles } from "./transferred-files.ts";
import { useAttach } from "./use-attach.ts";

/**
 * Attaches files that are dropped on it to the draft, or says that files are not accepted. It takes every drop, because the
 * browser opens a file that nobody takes in place of the page.
 */
export function FileDropArea({
  ref,
  className,
  children,
}: {
  readonly ref?: Ref<HTMLDivElement>;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const { words } = useChat();
  const announce = useAnnounce();
  const takesFiles = useChatState((state) => attachmentRules(state.config) !== undefined);
  const attach = useAttach(useChatState(activeThreadId));
  const [hint, setHint] = useState<"over" | "refused">();
  useEffect(() => {
    if (hint !== "refused") return undefined;
    const timer = setTimeout(() => setHint(undefined), REFUSAL_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [hint]);
  const text = takesFiles ? words.composer.dropHere : words.composer.noFiles;
  return (
    // `presentation`: keyboard users attach files with the button beside the composer.
    <div
      ref={ref}
      role="presentation"
      className={className}
      onDragOver={(event) => {
        if (takeDrag(event)) setHint("over");
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setHint(undefined);
      }}
      onDrop={(event) => {
        setHint(undefined);
        if (!takeDrag(event)) return;
        if (takesFiles) {
          void attach([...event.dataTransfer.files]);
          focusComposer(event.currentTarget);
        } else {
          setHint("refused");
          announce(text);
        }
      }}
    >
      {children}
      {hint && (
        <div className="drop-hint">
          {takesFiles && <Icon name="attach" />}
          {text}
        </div>
      )}
    </div>
  );
}

/** Prevents the browser's default for a drag of files, unless a host's view has handled it. */
export function takeDrag(event: DragEvent): boolean {
  if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  return true;
}
