/** Asks for the colours that came last to each browser, of all that the widget uses without a fallback. */
export function isBrowserTooOld(): boolean {
  return !CSS.supports("color", "light-dark(red, oklch(from red l c h))");
}
