import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { focusComposer } from "../composer/focus-composer.ts";
import { Frame } from "./frame.tsx";
import { keepInSight } from "./keep-in-sight.ts";

/** The chat in its own window over the page, not in the page's way; on phones it takes the whole screen. */
export function LauncherPanel() {
  const { actions, words } = useChat();
  const panel = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = panel;
    if (!current) return undefined;
    // Whatever else Escape means in the panel comes first.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) actions.closePanel();
    };
    current.addEventListener("keydown", onKeyDown);
    focusComposer(current);
    const stop = keepInSight(current);
    return () => {
      stop();
      current.removeEventListener("keydown", onKeyDown);
    };
  }, [actions]);
  return (
    <dialog ref={panel} open className="panel" part="panel" aria-label={words.launcher.title}>
      <Frame />
    </dialog>
  );
}
