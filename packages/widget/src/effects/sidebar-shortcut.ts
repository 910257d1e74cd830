interface ShortcutOptions {
  readonly host: HTMLElement;
  readonly layout: "inline" | "launcher";
  readonly toggle: () => void;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/**
 * Ctrl+B and Cmd+B toggle the sidebar: always if the focus is in the widget; elsewhere on the page only if the layout is
 * inline, the page has not handled the keys itself, and the focus is not in a text field.
 */
export function sidebarShortcut({ host, layout, toggle, signal }: ShortcutOptions): void {
  const onHostKey = (event: KeyboardEvent) => {
    // A key in a host's own view belongs to the page.
    if (event.target !== host || !isShortcut(event)) return;
    event.preventDefault();
    toggle();
  };
  const onPageKey = (event: KeyboardEvent) => {
    const [target] = event.composedPath();
    if (event.defaultPrevented || !isShortcut(event) || isEditable(target)) return;
    event.preventDefault();
    toggle();
  };
  host.addEventListener("keydown", onHostKey, { signal });
  // The listener is on the window, so that the page's own handlers run first.
  if (layout === "inline") window.addEventListener("keydown", onPageKey, { signal });
}

/**
 * The key that writes «b», or, on a keyboard without Latin letters, the key in the place of «b»: on a Russian one that is «и».
 */
function isShortcut(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  if (ctrlKey === metaKey || altKey || shiftKey || repeat || event.isComposing) return false;
  const key = event.key.toLowerCase();
  return key === "b" || (event.code === "KeyB" && !/^[a-z]$/.test(key));
}

function isEditable(target: EventTarget | undefined): boolean {
  if (!(target instanceof Element)) return false;
  return target.matches("input, textarea, select") || (target instanceof HTMLElement && target.isContentEditable);
}
