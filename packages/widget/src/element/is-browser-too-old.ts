/**
 * Tests for `light-dark()` and relative colours. Of everything that the widget needs without a fallback, browsers got them
 * last.
 */
export function isBrowserTooOld(): boolean {
  return !CSS.supports("color", "light-dark(red, oklch(from red l c h))");
}
