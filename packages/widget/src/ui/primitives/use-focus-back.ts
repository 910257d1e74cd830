import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { focusedIn } from "./focus.ts";

/**
 * Gives the focus back to a button whose press opened something, when that has gone and nothing else has the focus.
 *
 * @param open whether what the button opened is there
 * @returns goes on the button, which may itself be away in the meantime
 */
export function useFocusBack(open: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && button.current && !focusedIn(button.current)) button.current.focus();
    wasOpen.current = open;
  }, [open]);
  return button;
}
