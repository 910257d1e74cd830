import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { SKELETON_DELAY_MS } from "../../timings.ts";

/** Shows its content only when it is still wanted after a while: what loads at once needs no skeleton. */
export function AfterDelay({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return shown ? children : null;
}
