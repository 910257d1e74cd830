/** Speaks to screen readers without showing anything: short texts, one after another, each once. */
import { createContext, use, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createTimers } from "../../browser/timers.ts";
import { ANNOUNCEMENT_KEPT_MS, ANNOUNCEMENT_PAUSE_MS } from "../../timings.ts";

interface Announcer {
  /** @param isWanted asked when its turn has come; unless given, it is said in any case */
  readonly announce: (text: string, isWanted?: () => boolean) => void;
  /** Whether it is asked for the first time, by the id of what is said once, however often its view is made anew. */
  readonly isNew: (id: string) => boolean;
}

const AnnouncerContext = createContext<Announcer>({ announce: () => undefined, isNew: () => true });

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
  /** Takes the region that readers listen to. Returns its end. */
  readonly attach: (region: HTMLElement) => () => void;
} {
  const timers = createTimers();
  const known = new Set<string>();
  let region: HTMLElement | undefined;
  let queue: { readonly text: string; readonly isWanted: (() => boolean) | undefined }[] = [];
  let resting = false;

  const say = () => {
    resting = queue.length > 0;
    if (!resting) return;
    const said = queue.flatMap(({ text, isWanted }) => {
      if (isWanted?.() === false) return [];
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      return paragraph;
    });
    queue = [];
    region?.append(...said);
    timers.after(ANNOUNCEMENT_KEPT_MS, () => {
      for (const paragraph of said) paragraph.remove();
    });
    timers.after(ANNOUNCEMENT_PAUSE_MS, say);
  };
  return {
    announce(text, isWanted) {
      if (text.trim() === "") return;
      queue.push({ text, isWanted });
      if (!resting) say();
    },
    isNew: (id) => !known.has(id) && known.add(id) !== undefined,
    attach(element) {
      region = element;
      return () => {
        timers.stop();
        region = undefined;
        resting = false;
      };
    },
  };
}
