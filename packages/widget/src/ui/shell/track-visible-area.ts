/**
 * Keeps `--visible-height` and `--visible-top` (pixels) on a full-screen panel up to date: the part of the window that the
 * on-screen keyboard leaves free.
 *
 * @returns stops tracking
 */
export function trackVisibleArea(panel: HTMLElement): () => void {
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
