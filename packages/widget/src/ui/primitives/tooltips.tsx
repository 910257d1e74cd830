/**
 * Names for controls that show a sign alone. One popover serves the whole widget: it appears by whatever element bears
 * `data-tooltip`, after 700 ms under the pointer or the keyboard's focus, and at once within 300 ms of the last one.
 */
import { createContext, use, useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { RunningTooltips } from "./start-tooltips.ts";

const loadTooltips = loadChunk(() => import("./start-tooltips.ts"));

/** Shows a text by an element at once, for as long as given: an answer to a press. */
type Say = RunningTooltips["say"];

const SayContext = createContext<Say>(() => undefined);

/** What answers a press beside the element that was pressed. */
export function useSay(): Say {
  return use(SayContext);
}

export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  const popover = useRef<HTMLDivElement>(null);
  const running = useRef<RunningTooltips>(undefined);
  const say = useMemo<Say>(() => (target, text, durationMs) => running.current?.say(target, text, durationMs), []);
  useEffect(() => {
    let mounted = true;
    // Nobody points at anything before the view stands: what listens comes after it. Without it, names are still read out.
    loadTooltips().then(
      ({ startTooltips }) => {
        if (mounted && popover.current) running.current = startTooltips(popover.current);
      },
      () => undefined,
    );
    return () => {
      mounted = false;
      running.current?.stop();
      running.current = undefined;
    };
  }, []);
  return (
    <SayContext value={say}>
      {children}
      <div ref={popover} className="tooltip" role="tooltip" popover="manual" />
    </SayContext>
  );
}
