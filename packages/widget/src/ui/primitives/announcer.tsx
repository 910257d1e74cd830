/** Announces short texts to screen readers through a live region that nobody sees, in order and each once. */
import { createContext, use, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createTimers } from "../../browser/timers.ts";
import type { Timers } from "../../browser/timers.ts";
import { ANNOUNCEMENT_KEPT_MS, ANNOUNCEMENT_PAUSE_MS } from "../../timings.ts";

interface Announcer {
  /** @param isWanted asked when the text's turn has come; the text is dropped if it returns false */
  readonly announce: (text: string, isWanted?: () => boolean) => void;
  /**
   * Marks the thing with this id as announced. Returns whether it was not marked before: a component that is mounted
   * again does not announce the same thing again.
   */
  readonly markAnnounced: (id: string) => boolean;
}

const AnnouncerContext = createContext<Announcer>({ announce: () => undefined, markAnnounced: () => true });

export function useAnnouncer(): Announcer {
  return use(AnnouncerContext);
}

export function useAnnounce(): Announcer["announce"] {
  return useAnnouncer().announce;
}

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const [announcer] = useState(createAnnouncer);
  useEffect(() => (region.current ? announcer.attach(region.current) : undefined), [announcer]);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <div ref={region} className="hidden-text" aria-live="polite" />
    </AnnouncerContext>
  );
}

function createAnnouncer(): Announcer & {
  /** Takes the live region. Returns what detaches it. */
  readonly attach: (region: HTMLElement) => () => void;
} {
  const announcedIds = new Set<string>();
  /** A text that is announced before the region is attached waits for it; after it is detached none is announced. */
  let attached: { readonly region: HTMLElement; readonly timers: Timers } | undefined;
  let queue: { readonly text: string; readonly isWanted: (() => boolean) | undefined }[] = [];
  let isPaused = false;

  const announceQueue = () => {
    isPaused = attached !== undefined && queue.length > 0;
    if (!attached || !isPaused) return;
    const { region, timers } = attached;
    const paragraphs = queue.flatMap(({ text, isWanted }) => {
      if (isWanted?.() === false) return [];
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      return paragraph;
    });
    queue = [];
    region.append(...paragraphs);
    timers.after(ANNOUNCEMENT_KEPT_MS, () => {
      for (const paragraph of paragraphs) paragraph.remove();
    });
    timers.after(ANNOUNCEMENT_PAUSE_MS, announceQueue);
  };
  return {
    announce(text, isWanted) {
      if (text.trim() === "") return;
      queue.push({ text, isWanted });
      if (!isPaused) announceQueue();
    },
    markAnnounced: (id) => !announcedIds.has(id) && announcedIds.add(id) !== undefined,
    attach(region) {
      const timers = createTimers();
      attached = { region, timers };
      announceQueue();
      return () => {
        timers.stop();
        attached = undefined;
        isPaused = false;
      };
    },
  };
}
