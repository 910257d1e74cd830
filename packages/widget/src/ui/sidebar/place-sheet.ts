/** Lays the sheet over its widget where the browser has no anchors: what is modal knows nothing of the box around it. */
export function placeSheet(sheet: HTMLElement): void {
  const box = sheet.parentElement?.getBoundingClientRect();
  if (!box || CSS.supports("anchor-name", "--a")) return;
  const { innerHeight } = window;
  const sides = {
    top: box.top,
    bottom: innerHeight - box.bottom,
    // The widget itself reads from left to right, whichever way the page does.
    start: box.left,
    room: box.width,
  };
  for (const [name, px] of Object.entries(sides)) sheet.style.setProperty(`--sheet-${name}`, `${px}px`);
}
