import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { Frame } from "./frame.tsx";
import { keepInSight } from "./keep-in-sight.ts";

/** The chat in its own window over the page, not in the page's way; on phones it takes the whole screen. */
export function LauncherPanel() {
  const { actions, words } = useChat();
  const panel = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = panel;
    if (!current) return undefined;
    const root = current.getRootNode();
    const controller = new AbortController();
    // Whatever else Escape means in the panel comes first: the view's own handlers have run before the root hears of it.
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || event.defaultPrevented || event.isComposing)
        return;
      const within = event.target instanceof Node && current.contains(event.target);
      if (within && !current.querySelector(":modal, :popover-open")) actions.closePanel();
    };
    root.addEventListener("keydown", onKeyDown, { signal: controller.signal });
    focusComposer(current);
    const stop = keepInSight(current);
    return () => {
      stop();
      controller.abort();
    };
  }, [actions]);
  return (
    <dialog ref={panel} open className="panel" part="panel" aria-label={words.launcher.title}>
      <Frame />
    </dialog>
  );
}
