import { useCallback, useEffect, useState } from "react";

/** What is loaded so far of something that comes later: it, or nothing, or that it did not come. */
export interface Loaded<T> {
  readonly value: T | undefined;
  /** Why it did not come. */
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/**
 * Code that is not needed for the first view, loaded once that view stands.
 *
 * @param load must stay the same function; nothing is loaded while it is `undefined`
 */
export function useLoaded<T extends object>(load: (() => Promise<T>) | undefined): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (!load || error) return undefined;
    let wanted = true;
    load().then(
      (loaded) => wanted && setValue(loaded),
      (cause: Error) => wanted && setError(cause),
    );
    return () => {
      wanted = false;
    };
  }, [load, error]);
  const retry = useCallback(() => setError(undefined), []);
  return { value, error, retry };
}
