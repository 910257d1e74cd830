/** Speaks to screen readers without showing anything: short texts, one after another, each once. */
import { createContext, use, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createTimers } from "../../browser/timers.ts";

/** How long a text stays in the page: long enough for every reader to pick it up. */
const KEPT_MS = 10_000;

/** Texts that come faster than this are said together: nobody listens faster, and each change costs a layout. */
const PACE_MS = 1000;

type Announce = (text: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const [announcer] = useState(createAnnouncer);
  useEffect(() => (region.current ? announcer.attach(region.current) : undefined), [announcer]);
  return (
    <AnnounceContext value={announcer.announce}>
      {children}
      <div ref={region} className="hidden-text" aria-live="polite" />
    </AnnounceContext>
  );
}

interface Announcer {
  readonly announce: Announce;
  /** Takes the region that readers listen to. Returns its end. */
  readonly attach: (region: HTMLElement) => () => void;
}

function createAnnouncer(): Announcer {
  const timers = createTimers();
  let region: HTMLElement | undefined;
  let queue: string[] = [];
  let resting = false;

  const say = () => {
    resting = queue.length > 0;
    if (!resting) return;
    const said = queue.map((text) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      return paragraph;
    });
    queue = [];
    region?.append(...said);
    timers.after(KEPT_MS, () => {
      for (const paragraph of said) paragraph.remove();
    });
    timers.after(PACE_MS, say);
  };
  return {
    announce(text) {
      if (text.trim() === "") return;
      queue.push(text);
      if (!resting) say();
    },
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
