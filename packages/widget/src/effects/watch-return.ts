import type { Actions, Elsewhere } from "../actions/actions.ts";

/** Refreshes when the visitor returns to the page from another tab, window, program or frame of the page. */
export function watchReturn(actions: Pick<Actions, "refresh">, signal: AbortSignal): void {
  /** Where the focus is while the page does not have it. */
  let elsewhere: Elsewhere | undefined = "window";
  const onFocus = () => {
    if (elsewhere) void actions.refresh(elsewhere);
    elsewhere = undefined;
  };
  const onBlur = () => {
    elsewhere = "window";
    // A document has the focus while a frame in it has it; in Firefox only from the next task on.
    setTimeout(() => {
      if (elsewhere && document.hasFocus()) elsewhere = "frame";
    });
  };
  const onShown = () => {
    if (!document.hidden) void actions.refresh();
  };
  window.addEventListener("focus", onFocus, { signal });
  window.addEventListener("blur", onBlur, { signal });
  document.addEventListener("visibilitychange", onShown, { signal });
}
