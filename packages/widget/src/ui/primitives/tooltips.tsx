/**
 * Tooltips, which name the controls that show an icon alone. One popover serves the whole widget: it appears beside any
 * element with `data-tooltip` that the pointer or the keyboard's focus rests on, and at once soon after another tooltip.
 */
import { createContext, use, useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { Tooltips } from "./start-tooltips.ts";

const loadTooltips = loadChunk(() => import("./start-tooltips.ts"));

type ShowFeedback = Tooltips["showFeedback"];

const FeedbackContext = createContext<ShowFeedback>(() => undefined);

/** Returns a function that shows the outcome of a press beside the button, as «Copied» does. */
export function useFeedback(): ShowFeedback {
  return use(FeedbackContext);
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const popover = useRef<HTMLDivElement>(null);
  const tooltips = useRef<Tooltips>(undefined);
  const showFeedback = useMemo<ShowFeedback>(
    () =>
      (...values) =>
        tooltips.current?.showFeedback(...values),
    [],
  );
  useEffect(() => {
    let mounted = true;
    // No visitor points at anything before the first view, so this code loads after it. If it does not load, only the
    // tooltips are missing: the controls have their accessible names.
    loadTooltips().catch(() => undefined);
    void loadTooltips.arrived.then(({ startTooltips }) => {
      if (mounted && popover.current) tooltips.current = startTooltips(popover.current);
    });
    return () => {
      mounted = false;
      tooltips.current?.stop();
      tooltips.current = undefined;
    };
  }, []);
  return (
    <FeedbackContext value={showFeedback}>
      {children}
      <div ref={popover} className="tooltip" role="tooltip" popover="manual" />
    </FeedbackContext>
  );
}
