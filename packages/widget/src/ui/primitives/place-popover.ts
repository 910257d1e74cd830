/** Room that is kept between a popover, its anchor and the window's edges. Pixels. */
const GAP = 6;

/**
 * Puts an open popover beside its anchor: on the side that is asked for if there is room, else on the other, and never
 * over the window's edge. Sets `--x` and `--y` on the popover, and `data-side` to where it went.
 */
export function placePopover(
  popover: HTMLElement,
  anchor: Element,
  { side, align }: { readonly side: "above" | "below"; readonly align: "start" | "center" | "end" },
): void {
  const at = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const above = at.top - GAP - height;
  const below = at.bottom + GAP;
  const fits = side === "above" ? above >= GAP : below + height <= innerHeight - GAP;
  const goesAbove = fits ? side === "above" : side === "below" && above >= GAP;
  const x = { start: at.left, center: at.left + (at.width - width) / 2, end: at.right - width }[align];
  const clamp = (value: number, most: number) => Math.round(Math.max(GAP, Math.min(value, most - GAP)));
  popover.style.setProperty("--x", `${clamp(x, innerWidth - width)}px`);
  popover.style.setProperty("--y", `${clamp(goesAbove ? above : below, innerHeight - height)}px`);
  popover.dataset["side"] = goesAbove ? "above" : "below";
}
