/**
 * Tooltips, which show the names of controls that have only an icon. One popover serves the whole widget. It appears beside any
 * element with `data-tooltip` that has the pointer or the keyboard's focus for a while, and at once soon after another tooltip.
 */
import { createContext, use, useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import type { Tooltips } from "../chat-context.tsx";
import { useChat } from "../chat-context.tsx";

const FlashContext = createContext<Tooltips["flash"]>(() => undefined);

/** Returns a function that shows the result of a press, such as «Copied», beside the button for a moment. */
export function useFlash(): Tooltips["flash"] {
  return use(FlashContext);
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const { afterView } = useChat();
  const popover = useRef<HTMLDivElement>(null);
  const tooltips = useRef<Tooltips>(undefined);
  const flash = useMemo<Tooltips["flash"]>(
    () =>
      (...values) =>
        tooltips.current?.flash(...values),
    [],
  );
  useEffect(() => {
    let mounted = true;
    // If they do not load, the controls still have their accessible names.
    void afterView.then(({ startTooltips }) => {
      if (mounted && popover.current) tooltips.current = startTooltips(popover.current);
    });
    return () => {
      mounted = false;
      tooltips.current?.stop();
      tooltips.current = undefined;
    };
  }, [afterView]);
  return (
    <FlashContext value={flash}>
      {children}
      <div ref={popover} className="tooltip" role="tooltip" popover="manual" />
    </FlashContext>
  );
}
