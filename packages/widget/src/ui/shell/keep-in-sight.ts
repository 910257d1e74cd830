/**
 * Tells a full-screen panel what the on-screen keyboard leaves of the window: `--visible-height` and `--visible-top`.
 *
 * @returns ends it
 */
export function keepInSight(panel: HTMLElement): () => void {
  const { visualViewport } = window;
  if (!visualViewport) return () => undefined;
  const measure = () => {
    panel.style.setProperty("--visible-height", `${visualViewport.height}px`);
    panel.style.setProperty("--visible-top", `${visualViewport.offsetTop}px`);
  };
  measure();
  visualViewport.addEventListener("resize", measure);
  visualViewport.addEventListener("scroll", measure);
  return () => {
    visualViewport.removeEventListener("resize", measure);
    visualViewport.removeEventListener("scroll", measure);
  };
}
