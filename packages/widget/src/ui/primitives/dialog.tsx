import { useEffect, useEffectEvent, useRef } from "react";
import type { ComponentProps, ReactNode } from "react";
import { LiveRegion } from "./announcer.tsx";
import { focusComposer, focusedIn, holdsFocus } from "./focus.ts";

/**
 * The browser's own modal dialog: it is above every layer of the page, and the rest of the page is inert. Escape and a press
 * outside call `onClose`. The focus returns to where it was before.
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
  /** Positions the dialog if the styles cannot. It is called when the dialog opens and when the page is resized or scrolled. */
  readonly place?: (dialog: HTMLDialogElement) => void;
  readonly children: ReactNode;
} & Omit<ComponentProps<"dialog">, "open" | "onClose" | "children" | "ref">) {
  const ref = useRef<HTMLDialogElement>(null);
  const askToClose = useEffectEvent(onClose);
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return undefined;
    const opener = focusedIn(dialog);
    const root = dialog.getRootNode();
    const controller = new AbortController();
    const { signal } = controller;
    const onCancel = (event: Event) => {
      event.preventDefault();
      askToClose();
    };
    // A selection that begins inside and ends outside is not a press outside.
    let beganOutside = false;
    const onPointerDown = (event: PointerEvent) => {
      beganOutside = event.target === dialog && isOutside(dialog, event);
    };
    const onClick = (event: MouseEvent) => {
      if (beganOutside && event.target === dialog && isOutside(dialog, event)) askToClose();
    };
    dialog.addEventListener("cancel", onCancel, { signal });
    dialog.addEventListener("pointerdown", onPointerDown, { signal });
    dialog.addEventListener("click", onClick, { signal });
    // If Escape is pressed twice, the browser closes the dialog without a `cancel` event that can be prevented.
    dialog.addEventListener("close", () => dialog.open || askToClose(), { signal });
    dialog.showModal();
    if (place) {
      const updatePlace = () => place(dialog);
      updatePlace();
      window.addEventListener("resize", updatePlace, { signal });
      window.addEventListener("scroll", updatePlace, { capture: true, signal });
    }
    return () => {
      controller.abort();
      // If the visitor has moved the focus elsewhere, it stays there.
      const restoresFocus = holdsFocus(dialog) || focusedIn(root) === undefined;
      dialog.close();
      if (!restoresFocus || !opener) return;
      // The opener may be gone: a tile, for example, when its upload fails or the visitor leaves its chat.
      if (opener.isConnected) opener.focus();
      else focusComposer(root);
    };
  }, [open, place]);
  return (
    <dialog {...rest} ref={ref} aria-modal>
      {open && (
        <>
          {children}
          <LiveRegion />
        </>
      )}
    </dialog>
  );
}

/** A press on the backdrop also has the dialog as its target. */
function isOutside(dialog: Element, { clientX, clientY }: MouseEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
