/** Speaks to screen readers without showing anything: short texts, one after another, each once. */
import { createContext, use, useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";

/** How long a text stays in the page: long enough for every reader to pick it up. */
const KEPT_MS = 10_000;

type Announce = (text: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const announce = useMemo<Announce>(
    () => (text) => {
      if (!region.current || text.trim() === "") return;
      const said = document.createElement("p");
      said.textContent = text;
      region.current.append(said);
      const timer = setTimeout(() => {
        said.remove();
        timers.current.delete(timer);
      }, KEPT_MS);
      timers.current.add(timer);
    },
    [],
  );
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
    };
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div ref={region} className="hidden-text" aria-live="polite" />
    </AnnounceContext>
  );
}
