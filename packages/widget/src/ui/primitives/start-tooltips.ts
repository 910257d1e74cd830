import { focusPressed } from "./focus-pressed.ts";
import { placePopover } from "./place-popover.ts";
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from "../../timings.ts";

/** Shows by its element what bears a name: see the tooltips' own file for when. */
export interface RunningTooltips {
  readonly say: (by: Element, text: string, durationMs: number) => void;
  readonly stop: () => void;
}

export function startTooltips(popover: HTMLElement): RunningTooltips {
  const root = popover.getRootNode();
  const page = popover.ownerDocument;
  let target: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = Number.NEGATIVE_INFINITY;
  let saying = false;

  const show = (by: Element, text: string) => {
    target = by;
    popover.textContent = text;
    if (!popover.matches(":popover-open")) popover.showPopover();
    placePopover(popover, by, { side: "below", align: "center" });
  };
  const hide = (at: number) => {
    // Each scroll of a growing answer comes here: to ask the popover costs a recalculation of styles.
    if (!target) return;
    clearTimeout(timer);
    if (popover.matches(":popover-open")) {
      popover.hidePopover();
      hiddenAt = at;
    }
    target = undefined;
    saying = false;
  };
  const approach = (by: Element | undefined, at: number) => {
    if (by === target || saying) return;
    hide(at);
    const text = by?.getAttribute("data-tooltip");
    if (!by || !text) return;
    target = by;
    timer = setTimeout(
      () => by.isConnected && show(by, text),
      at - hiddenAt < TOOLTIP_SKIP_DELAY_MS ? 0 : TOOLTIP_DELAY_MS,
    );
  };

  const onOver = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === "touch") return;
    approach(named(event.target), event.timeStamp);
  };
  const onFocus = (event: Event) => {
    const by = named(event.target);
    if (by?.matches(":focus-visible")) approach(by, event.timeStamp);
  };
  const onLeave = (event: Event) => {
    if (!saying) hide(event.timeStamp);
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") hide(event.timeStamp);
  };
  const controller = new AbortController();
  const { signal } = controller;
  root.addEventListener("pointerover", onOver, { signal });
  root.addEventListener("pointerdown", onLeave, { signal });
  root.addEventListener("focusin", onFocus, { signal });
  root.addEventListener("focusout", onLeave, { signal });
  root.addEventListener("scroll", onLeave, { signal, capture: true, passive: true });
  page.addEventListener("pointerout", (event) => event.relatedTarget === null && onLeave(event), { signal });
  page.addEventListener("keydown", onEscape, { signal, capture: true });
  if (root instanceof ShadowRoot) {
    root.host.addEventListener("pointerleave", onLeave, { signal });
    // Like tooltips it is for those who press something, so it comes with them, after the view stands.
    focusPressed(root, signal);
  }

  return {
    say(by: Element, text: string, durationMs: number) {
      clearTimeout(timer);
      show(by, text);
      saying = true;
      timer = setTimeout(() => hide(Number.NEGATIVE_INFINITY), durationMs);
    },
    stop() {
      controller.abort();
      hide(0);
    },
  };
}

function named(target: EventTarget | null): Element | undefined {
  return target instanceof Element ? (target.closest("[data-tooltip]") ?? undefined) : undefined;
}
