/**
 * Announces short texts to screen readers through invisible live regions, in order and each once. A modal dialog makes
 * everything outside it inert, including live regions, so each dialog has its own region, and the newest region gets the texts.
 */
import { createContext, use, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createTimers } from "../../browser/timers.ts";
import type { Timers } from "../../browser/timers.ts";
import { ANNOUNCEMENT_KEPT_MS, ANNOUNCEMENT_PAUSE_MS, LIVE_REGION_READY_MS } from "../../timings.ts";

interface Announcer {
  /** @param isWanted called when it is the text's turn; if it returns false, the text is dropped */
  readonly announce: (text: string, isWanted?: () => boolean) => void;
  /**
   * Marks the thing with this id as announced. Returns whether it was not marked before, so that a component that is mounted
   * again does not announce the same thing twice.
   */
  readonly markAnnounced: (id: string) => boolean;
  /** Attaches a live region, which replaces the previous one. Returns a function that detaches it. */
  readonly attach: (region: HTMLElement | null) => () => void;
}

const AnnouncerContext = createContext(createAnnouncer());

export function useAnnouncer(): Announcer {
  return use(AnnouncerContext);
}

export function useAnnounce(): Announcer["announce"] {
  return useAnnouncer().announce;
}

/** Announces a visible text when it appears and when it changes. */
export function useAnnounced(text = ""): void {
  const announce = useAnnounce();
  useEffect(() => announce(text), [announce, text]);
}

export function Announced({ text }: { readonly text: string }) {
  useAnnounced(text);
  return null;
}

/** @param muted whether the content is hidden; then nothing is announced */
export function AnnouncerProvider({ muted, children }: { readonly muted?: boolean; readonly children: ReactNode }) {
  const [announcer] = useState(createAnnouncer);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      {!muted && <LiveRegion />}
    </AnnouncerContext>
  );
}

/** Takes over the announcements while it is mounted. Every modal dialog contains one. */
export function LiveRegion() {
  const region = useRef<HTMLDivElement>(null);
  const { attach } = useAnnouncer();
  useEffect(() => attach(region.current), [attach]);
  return <div ref={region} className="hidden-text" aria-live="polite" />;
}

interface Place {
  readonly region: HTMLElement | null;
  readonly timers: Timers;
}

function createAnnouncer(): Announcer {
  const announcedIds = new Set<string>();
  /** The last region gets the texts. Texts wait for the first region; later, without a region, nothing is announced. */
  const places: Place[] = [];
  let queue: { readonly text: string; readonly isWanted: (() => boolean) | undefined }[] = [];
  let isMuted = false;
  let isPaused = true;
  let cancelPause = () => {};

  const announceQueue = () => {
    const place = places.at(-1);
    isPaused = queue.length > 0;
    if (!place || !isPaused) return;
    const paragraphs = queue.flatMap(({ text, isWanted }) => {
      if (isWanted?.() === false) return [];
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      return paragraph;
    });
    queue = [];
    place.region?.append(...paragraphs);
    place.timers.after(ANNOUNCEMENT_KEPT_MS, () => {
      for (const paragraph of paragraphs) paragraph.remove();
    });
    pause(place, ANNOUNCEMENT_PAUSE_MS);
  };
  const pause = ({ timers }: Place, ms: number) => {
    cancelPause();
    isPaused = true;
    cancelPause = timers.after(ms, announceQueue);
  };
  const takeLastPlace = () => {
    const place = places.at(-1);
    isMuted = !place;
    if (place) pause(place, LIVE_REGION_READY_MS);
  };
  return {
    announce(text, isWanted) {
      if (isMuted || text.trim() === "") return;
      queue.push({ text, isWanted });
      if (!isPaused) announceQueue();
    },
    markAnnounced: (id) => !announcedIds.has(id) && announcedIds.add(id) !== undefined,
    attach(region) {
      const place = { region, timers: createTimers() };
      places.push(place);
      takeLastPlace();
      return () => {
        place.timers.stop();
        places.splice(places.indexOf(place), 1);
        takeLastPlace();
      };
    },
  };
}
