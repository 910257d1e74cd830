import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { SKELETON_DELAY_MS } from "../../timings.ts";

/** Shows its children if it is still mounted after a short delay, so that a skeleton only appears if loading is slow. */
export function AfterDelay({
  ms = SKELETON_DELAY_MS,
  children,
}: {
  readonly ms?: number;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver ? children : null;
}

/** Grey lines in place of a list that loads slowly, with a name for screen readers. */
export function LoadingRows({ label, count }: { readonly label: string; readonly count: number }) {
  return (
    <AfterDelay>
      <div className="thread-list-skeleton">
        <span className="hidden-text">{label}</span>
        {Array.from({ length: count }, (_, index) => (
          <span key={index} className="skeleton" />
        ))}
      </div>
    </AfterDelay>
  );
}
