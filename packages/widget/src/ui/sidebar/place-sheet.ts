/**
 * Positions the sheet over its widget in browsers without CSS anchor positioning: a modal dialog is laid out against the
 * window, not against its parent. Sets `--sheet-top`, `--sheet-bottom`, `--sheet-start`, `--sheet-room` (pixels).
 */
export function placeSheet(sheet: HTMLElement): void {
  const box = sheet.parentElement?.getBoundingClientRect();
  if (!box || CSS.supports("anchor-name", "--a")) return;
  const { innerHeight } = window;
  const sides = {
    top: box.top,
    bottom: innerHeight - box.bottom,
    // The widget is laid out from left to right, also on a page that is not.
    start: box.left,
    room: box.width,
  };
  for (const [name, px] of Object.entries(sides)) sheet.style.setProperty(`--sheet-${name}`, `${px}px`);
}
