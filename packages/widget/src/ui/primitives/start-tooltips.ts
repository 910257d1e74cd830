import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from "../../timings.ts";
import { placePopover } from "./place-popover.ts";
import type { Tooltips } from "../chat-context.tsx";

/**
 * Shows the `data-tooltip` of the element that has the pointer or the keyboard's focus in this popover, or the whole text of an
 * element with `data-cut` that is truncated.
 */
export function startTooltips(popover: HTMLElement): Tooltips {
  const root = popover.getRootNode();
  const page = popover.ownerDocument;
  let anchor: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = Number.NEGATIVE_INFINITY;
  let isFlash = false;

  // A pressed button may change its name.
  const renames = new MutationObserver(() => {
    const text = anchor && !isFlash && popover.matches(":popover-open") && textOf(anchor);
    if (text) popover.textContent = text;
  });
  const show = (element: Element, text: string) => {
    anchor = element;
    renames.disconnect();
    renames.observe(element, { attributeFilter: ["data-tooltip"] });
    popover.textContent = text;
    if (!popover.matches(":popover-open")) popover.showPopover();
    placePopover(popover, element, { side: "below", align: "center" });
  };
  const hide = (time: number) => {
    // Each scroll of a growing answer gets here. Asking the popover itself whether it is open would recalculate styles.
    if (!anchor) return;
    clearTimeout(timer);
    if (popover.matches(":popover-open")) {
      popover.hidePopover();
      hiddenAt = time;
    }
    anchor = undefined;
    isFlash = false;
  };
  const showAfterDelay = (element: Element | undefined, time: number) => {
    if (element === anchor || isFlash) return;
    hide(time);
    if (!element || !textOf(element)) return;
    anchor = element;
    const delay = time - hiddenAt < TOOLTIP_SKIP_DELAY_MS ? 0 : TOOLTIP_DELAY_MS;
    timer = setTimeout(() => {
      const text = textOf(element);
      if (element.isConnected && text) show(element, text);
    }, delay);
  };

  const onPointerOver = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === "touch") return;
    // A tooltip stays while the pointer is on it.
    if (event.target !== popover) showAfterDelay(withTooltip(root, event.target), event.timeStamp);
  };
  const onFocus = (event: Event) => {
    const element = withTooltip(root, event.target);
    if (element?.matches(":focus-visible")) showAfterDelay(element, event.timeStamp);
  };
  const onLeave = (event: Event) => {
    if (!isFlash) hide(event.timeStamp);
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // Escape does only one thing: it closes the tooltip, without stopping the answer or closing the panel.
    if (!isFlash && popover.matches(":popover-open")) {
      event.preventDefault();
      event.stopPropagation();
    }
    hide(event.timeStamp);
  };
  const controller = new AbortController();
  const { signal } = controller;
  root.addEventListener("pointerover", onPointerOver, { signal });
  root.addEventListener("pointerdown", onLeave, { signal });
  root.addEventListener("focusin", onFocus, { signal });
  root.addEventListener("focusout", onLeave, { signal });
  root.addEventListener("scroll", onLeave, { signal, capture: true, passive: true });
  page.addEventListener("pointerout", (event) => event.relatedTarget === null && onLeave(event), { signal });
  page.addEventListener("keydown", onEscape, { signal, capture: true });
  if (root instanceof ShadowRoot) {
    root.host.addEventListener("pointerleave", onLeave, { signal });
  }

  return {
    flash(element: Element, text: string, durationMs: number) {
      clearTimeout(timer);
      show(element, text);
      isFlash = true;
      timer = setTimeout(() => hide(Number.NEGATIVE_INFINITY), durationMs);
    },
    stop() {
      controller.abort();
      renames.disconnect();
      hide(0);
    },
  };
}

/** The tooltip's text for an element; nothing if the whole text is visible. */
function textOf(element: Element): string | undefined {
  const name = element.getAttribute("data-tooltip");
  return name === null ? cutText(element) : name + shortcutOf(element);
}

/** The text of an element, or of its first child, if it is truncated. */
function cutText(element: Element): string | undefined {
  const cut = [element, element.firstElementChild].find((each) => each && each.scrollWidth > each.clientWidth);
  return (cut?.firstElementChild ?? cut)?.textContent;
}

/** The first of an element's shortcuts in brackets, as the visitor's keyboard labels it. On a Mac it is the one with ⌘. */
function shortcutOf(element: Element): string {
  const shortcuts = element.getAttribute("aria-keyshortcuts")?.split(" ") ?? [];
  const isMac = /Mac|iP/.test(navigator.platform);
  const shortcut = shortcuts.find((each) => isMac && each.startsWith("Meta")) ?? shortcuts[0];
  return shortcut === undefined ? "" : ` (${shortcut.replace("Meta+", "⌘").replace("Control", "Ctrl")})`;
}

/**
 * The element with a tooltip at an event's target. Host views have none: they are in the page, and their events reach the root
 * through a slot.
 */
function withTooltip(root: Node, target: EventTarget | null): Element | undefined {
  const isOurs = target instanceof Element && root.contains(target);
  return isOurs ? (target.closest("[data-tooltip], [data-cut]") ?? undefined) : undefined;
}
