import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { focusComposer, focusedIn, holdsFocus } from "../primitives/focus.ts";
import { isComposing } from "../primitives/is-composing.ts";
import { Frame } from "./frame.tsx";
import { keepInSight } from "./keep-in-sight.ts";

/** Where the panel fills the screen; its styles say the same. */
const PHONE = "(max-width: 480px), (max-height: 420px)";

/** The chat in its own window over the page, not in the page's way; on phones it takes the whole screen, and is modal. */
export function LauncherPanel({ open }: { readonly open: boolean }) {
  const { actions, words } = useChat();
  const panel = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = panel;
    if (!current || !open) return undefined;
    const root = current.getRootNode();
    const controller = new AbortController();
    const { signal } = controller;
    // Whatever else Escape means in the panel comes first: the view's own handlers have run before the root hears of it.
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || event.defaultPrevented) return;
      if (isComposing(event)) return;
      const within = event.target instanceof Node && current.contains(event.target);
      if (within && !current.querySelector(":modal, :popover-open")) actions.closePanel();
    };
    root.addEventListener("keydown", onKeyDown, { signal });
    // A modal dialog would answer Escape before that, and close without asking when it is pressed twice.
    current.addEventListener("cancel", (event) => event.target === current && event.preventDefault(), { signal });
    const onClose = () => current.open || actions.closePanel();
    current.addEventListener("close", onClose, { signal });
    if (matchMedia(PHONE).matches) current.showModal();
    else current.setAttribute("open", "");
    focusComposer(current);
    const stop = keepInSight(current);
    return () => {
      stop();
      controller.abort();
      // What is hidden keeps no focus: the button is to have it.
      if (holdsFocus(current)) focusedIn(current)?.blur();
      current.close();
    };
  }, [actions, open]);
  return (
    <dialog ref={panel} className="panel" part="panel" aria-label={words.launcher.title}>
      {/* What is said outside of a modal dialog is heard by no screen reader. */}
      <AnnouncerProvider>
        <Frame />
      </AnnouncerProvider>
    </dialog>
  );
}
