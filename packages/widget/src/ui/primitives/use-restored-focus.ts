import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { focusedIn } from "./focus.ts";

/**
 * Restores the focus to a button when what it opened has closed and nothing else has the focus.
 *
 * @param open whether what the button opens is open
 * @returns a ref for the button, which may be unmounted while that is open
 */
export function useRestoredFocus(open: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && button.current && !focusedIn(button.current)) button.current.focus();
    wasOpen.current = open;
  }, [open]);
  return button;
}
