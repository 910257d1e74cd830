/** The distance between a popover and its anchor, and the minimum distance to the window's edges. */
const GAP_PX = 6;

/**
 * Puts an open popover beside its anchor: on the given side if there is room, otherwise on the other, and always inside the
 * window. `start` is where the anchor's lines begin. Sets `--x` and `--y` (pixels from the window's top left) on the popover,
 * and `data-side` to its side.
 */
export function placePopover(
  popover: HTMLElement,
  anchor: Element,
  { side, align }: { readonly side: "above" | "below"; readonly align: "start" | "center" | "end" },
): void {
  const box = anchor.getBoundingClientRect();
  // At the window's edge it would be squeezed, which would make the measurement wrong.
  popover.style.setProperty("--x", "0px");
  const { width, height } = popover.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const above = box.top - GAP_PX - height;
  const below = box.bottom + GAP_PX;
  const fits = side === "above" ? above >= GAP_PX : below + height <= innerHeight - GAP_PX;
  const isAbove = fits ? side === "above" : side === "below" && above >= GAP_PX;
  const [left, right] = [box.left, box.right - width];
  const [start, end] = getComputedStyle(anchor).direction === "rtl" ? [right, left] : [left, right];
  const x = { start, center: (left + right) / 2, end }[align];
  const clamp = (value: number, max: number) => Math.round(Math.max(GAP_PX, Math.min(value, max - GAP_PX)));
  popover.style.setProperty("--x", `${clamp(x, innerWidth - width)}px`);
  popover.style.setProperty("--y", `${clamp(isAbove ? above : below, innerHeight - height)}px`);
  popover.dataset["side"] = isAbove ? "above" : "below";
}

/**
 * Positions the sheet over its widget in browsers without CSS anchor positioning, because a modal dialog is laid out relative
 * to the window and not to its parent. Sets `--sheet-top`, `--sheet-bottom`, `--sheet-start`, `--sheet-room` (pixels).
 */
export function placeSheet(sheet: HTMLElement): void {
  const box = sheet.parentElement?.getBoundingClientRect();
  if (!box || CSS.supports("anchor-name", "--a")) return;
  const { innerHeight } = window;
  const sides = {
    top: box.top,
    bottom: innerHeight - box.bottom,
    start: getComputedStyle(sheet).direction === "rtl" ? document.documentElement.clientWidth - box.right : box.left,
    room: box.width,
  };
  for (const [name, px] of Object.entries(sides)) sheet.style.setProperty(`--sheet-${name}`, `${px}px`);
}
