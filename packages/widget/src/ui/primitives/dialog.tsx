import { useEffect, useEffectEvent, useRef } from "react";
import type { ComponentProps, ReactNode } from "react";
import { focusedIn, holdsFocus } from "./focus.ts";

/**
 * A modal dialog of the browser's own: above every layer of the page, with the rest of it inert. Escape and a press
 * beside it ask to close. The focus goes back to where it came from.
 */
export function Dialog({
  open,
  onClose,
  place,
  children,
  ...rest
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Puts it in its place, where the styles alone cannot: when it opens, and when the page moves below it. */
  readonly place?: (dialog: HTMLDialogElement) => void;
  readonly children: ReactNode;
} & Omit<ComponentProps<"dialog">, "open" | "onClose" | "children" | "ref">) {
  const ref = useRef<HTMLDialogElement>(null);
  const askToClose = useEffectEvent(onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return undefined;
    const opener = focusedIn(dialog);
    const controller = new AbortController();
    const { signal } = controller;
    const onCancel = (event: Event) => {
      event.preventDefault();
      askToClose();
    };
    const onClick = (event: MouseEvent) => {
      if (event.target === dialog && isBeside(dialog, event)) askToClose();
    };
    dialog.addEventListener("cancel", onCancel, { signal });
    dialog.addEventListener("click", onClick, { signal });
    // The browser closes it without asking when Escape is pressed twice.
    dialog.addEventListener("close", () => askToClose(), { signal });
    dialog.showModal();
    if (place) {
      const put = () => place(dialog);
      put();
      window.addEventListener("resize", put, { signal });
      window.addEventListener("scroll", put, { capture: true, signal });
    }
    return () => {
      controller.abort();
      const focusIsHere = holdsFocus(dialog) || focusedIn(dialog) === undefined;
      dialog.close();
      if (focusIsHere && opener?.isConnected) opener.focus();
    };
  }, [open, place]);
  return (
    <dialog {...rest} ref={ref}>
      {open && children}
    </dialog>
  );
}

function isBeside(dialog: Element, { clientX, clientY }: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
