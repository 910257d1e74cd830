import { useCallback, useEffect, useState } from "react";

/** What is loaded so far of something that comes later: it, or nothing, or that it did not come. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/**
 * Code that is not needed for the first view, loaded once that view stands.
 *
 * @param load must stay the same function; nothing is loaded while it is `undefined`
 */
export function useLoaded<T extends object>(load: (() => Promise<T>) | undefined): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!load || failed) return undefined;
    let wanted = true;
    load().then(
      (loaded) => wanted && setValue(loaded),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [load, failed]);
  const retry = useCallback(() => setFailed(false), []);
  return { value, failed, retry };
}
