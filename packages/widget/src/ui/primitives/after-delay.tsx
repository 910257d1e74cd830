import { useEffect, useState } from "react";
import type { ReactNode } from "react";

/** Shows its content only when it is still wanted after a while: what loads at once needs no skeleton. */
export function AfterDelay({ ms = 200, children }: { readonly ms?: number; readonly children: ReactNode }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return shown ? children : null;
}
