/** The distance between a popover and its anchor, and the least between it and the window's edges. */
const GAP_PX = 6;

/**
 * Puts an open popover beside its anchor: on the given side if there is room, else on the other, and always inside the
 * window. Sets `--x` and `--y` (pixels from the window's top left) on the popover, and `data-side` to the side it is on.
 */
export function placePopover(
  popover: HTMLElement,
  anchor: Element,
  { side, align }: { readonly side: "above" | "below"; readonly align: "start" | "center" | "end" },
): void {
  const box = anchor.getBoundingClientRect();
  // At the window's edge it would be squeezed, and measured so.
  popover.style.setProperty("--x", "0px");
  const { width, height } = popover.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const above = box.top - GAP_PX - height;
  const below = box.bottom + GAP_PX;
  const fits = side === "above" ? above >= GAP_PX : below + height <= innerHeight - GAP_PX;
  const isAbove = fits ? side === "above" : side === "below" && above >= GAP_PX;
  const x = { start: box.left, center: box.left + (box.width - width) / 2, end: box.right - width }[align];
  const clamp = (value: number, max: number) => Math.round(Math.max(GAP_PX, Math.min(value, max - GAP_PX)));
  popover.style.setProperty("--x", `${clamp(x, innerWidth - width)}px`);
  popover.style.setProperty("--y", `${clamp(isAbove ? above : below, innerHeight - height)}px`);
  popover.dataset["side"] = isAbove ? "above" : "below";
}
