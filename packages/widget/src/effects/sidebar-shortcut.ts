interface ShortcutOptions {
  readonly host: HTMLElement;
  readonly layout: "inline" | "launcher";
  readonly toggle: () => void;
}

/**
 * Ctrl+B and Cmd+B: always when the focus is in the widget; elsewhere only when the widget is part of the page, nobody
 * has claimed the keys, and the focus is in nothing that is written in.
 */
export function sidebarShortcut({ host, layout, toggle }: ShortcutOptions): () => void {
  const inside = (event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    toggle();
  };
  const outside = (event: KeyboardEvent) => {
    const [target] = event.composedPath();
    if (event.defaultPrevented || !isShortcut(event) || isEditable(target)) return;
    event.preventDefault();
    toggle();
  };
  host.addEventListener("keydown", inside);
  // On the window, so that the page's own handlers have had their turn.
  if (layout === "inline") window.addEventListener("keydown", outside);
  return () => {
    host.removeEventListener("keydown", inside);
    window.removeEventListener("keydown", outside);
  };
}

/** By the key's place where it writes no Latin letter: on a Russian keyboard it is «и». */
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
