import { useCallback, useEffect, useState } from "react";
import type { Chunk } from "../../load-chunk.ts";

type Outcome<T> =
  | { readonly value: undefined; readonly error: undefined }
  | { readonly value: T; readonly error: undefined }
  | { readonly value: undefined; readonly error: Error };

/** The result of a load: its value, or its error; neither while it is in progress. */
export type Loaded<T> = Outcome<T> & {
  /** Loads again after a failure; otherwise does nothing. */
  readonly retry: () => void;
};

const pending = { value: undefined, error: undefined } as const;

/**
 * Loads code that the first view does not need, after that view is mounted. If several components need code that failed to
 * load, all of them get it as soon as one of them has loaded it.
 *
 * @param load must always be the same function; nothing loads while it is `undefined`
 *
 * @example
 * const loadMenu = loadChunk(() => import("./menu.tsx"));
 * const menu = useLoaded(loadMenu);
 * return menu.value && <menu.value.Menu … />;
 */
export function useLoaded<T extends object>(load: Chunk<T> | undefined): Loaded<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>(pending);
  const { error } = outcome;
  useEffect(() => {
    if (!load) return undefined;
    let mounted = true;
    (error ? load.arrived() : load()).then(
      (value) => mounted && setOutcome({ value, error: undefined }),
      (cause: Error) => mounted && setOutcome({ value: undefined, error: cause }),
    );
    return () => {
      mounted = false;
    };
  }, [load, error]);
  const retry = useCallback(() => setOutcome((last) => (last.error ? pending : last)), []);
  return { ...outcome, retry };
}
