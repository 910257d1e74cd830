import { useEffect, useRef, useState } from "react";
import { panelWords } from "../../i18n/panel-words.ts";
import { useChat } from "../chat-context.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { focusComposer, focusedIn, holdsFocus } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { isComposing } from "../primitives/is-composing.ts";
import { Frame } from "./frame.tsx";

/** On screens of this size the panel fills the screen. launcher.css repeats the condition. */
const SMALL_SCREEN = "(max-width: 480px), (max-height: 420px)";

/** The chat in a window over the page. On small screens it fills the screen and is modal. Otherwise the page stays usable. */
export function LauncherPanel({ open }: { readonly open: boolean }) {
  const { actions, words } = useChat();
  const panel = useRef<HTMLDialogElement>(null);
  // The state lasts as long as the page, because a closed panel stays mounted.
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const { current } = panel;
    if (!current || !open) return undefined;
    const root = current.getRootNode();
    const controller = new AbortController();
    const { signal } = controller;
    // The listener is on the root, so that it runs last: a view inside the panel that handles Escape itself has called
    // `preventDefault` by then.
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || event.defaultPrevented) return;
      if (isComposing(event)) return;
      const isInside = event.target instanceof Node && current.contains(event.target);
      if (isInside && !current.querySelector(":modal, :popover-open")) actions.closePanel();
    };
    root.addEventListener("keydown", onKeyDown, { signal });
    // A modal dialog closes on Escape before that. This can be prevented, but not if Escape is pressed twice; then `close`
    // updates the state.
    current.addEventListener("cancel", (event) => event.target === current && event.preventDefault(), { signal });
    const onClose = () => current.open || actions.closePanel();
    current.addEventListener("close", onClose, { signal });
    const smallScreen = matchMedia(SMALL_SCREEN);
    const show = () => {
      const focused = holdsFocus(current) ? focusedIn(current) : undefined;
      if (current.open) current.close();
      current.ariaModal = String(smallScreen.matches);
      if (smallScreen.matches) current.showModal();
      else current.setAttribute("open", "");
      // The dialog that opened last is on top, so the dialogs inside the panel are opened again.
      for (const inner of current.querySelectorAll<HTMLDialogElement>(":modal")) {
        inner.close();
        inner.showModal();
      }
      focused?.focus({ preventScroll: true });
    };
    show();
    focusComposer(current);
    // A window may become narrow, and a phone may be turned.
    smallScreen.addEventListener("change", show, { signal });
    const stopTracking = trackVisibleArea(current);
    return () => {
      stopTracking();
      controller.abort();
      // The launcher's button takes the focus if nothing else has it.
      if (holdsFocus(current)) focusedIn(current)?.blur();
      current.close();
    };
  }, [actions, open]);
  return (
    <dialog ref={panel} className="panel" data-wide={wide || undefined} part="panel" aria-label={words.launcher.title}>
      {/* The panel has its own announcer, because it may be modal and a closed panel announces nothing. */}
      <AnnouncerProvider muted={!open}>
        <Frame tools={<PanelTools wide={wide} onWide={setWide} />} />
      </AnnouncerProvider>
    </dialog>
  );
}

/**
 * The tools at the end of the launcher panel's header: a button for the width, and on phones, where the panel fills the screen,
 * one to close it.
 */
function PanelTools({ wide, onWide }: { readonly wide: boolean; readonly onWide: (wide: boolean) => void }) {
  const { actions, words, locale } = useChat();
  const texts = { ...panelWords[locale], ...words.panel };
  return (
    <>
      <IconButton
        icon={
          wide
            ? "M17 3l-5.5 5.5M16 8.5h-4.5V4M3 17l5.5-5.5M4 11.5h4.5V16"
            : "M11.5 8.5 17 3M12 3h5v5M8.5 11.5 3 17M8 17H3v-5"
        }
        label={wide ? texts.narrow : texts.widen}
        className="panel-width"
        onClick={() => onWide(!wide)}
      />
      <IconButton
        icon="close"
        label={words.launcher.close}
        className="panel-close"
        onClick={() => actions.closePanel()}
      />
    </>
  );
}

/**
 * Keeps `--visible-height` and `--visible-top` (pixels) on a full-screen panel up to date: the part of the window that the
 * on-screen keyboard does not cover.
 *
 * @returns a function that stops tracking
 */
function trackVisibleArea(panel: HTMLElement): () => void {
  const { visualViewport } = window;
  if (!visualViewport) return () => undefined;
  const update = () => {
    panel.style.setProperty("--visible-height", `${visualViewport.height}px`);
    panel.style.setProperty("--visible-top", `${visualViewport.offsetTop}px`);
  };
  update();
  visualViewport.addEventListener("resize", update);
  visualViewport.addEventListener("scroll", update);
  return () => {
    visualViewport.removeEventListener("resize", update);
    visualViewport.removeEventListener("scroll", update);
  };
}
