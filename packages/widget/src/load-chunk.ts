import { onceLoaded } from "./once-loaded.ts";

/** A chunk of the build. It loads once, at the first call. */
export interface Chunk<T> {
  (): Promise<T>;
  /** Resolves when any caller has loaded the chunk. Never rejects. Callbacks that wait for it stay in memory. */
  readonly arrived: () => Promise<T>;
}

/**
 * A chunk that can be loaded again after a failure.
 *
 * @param load `() => import("…")` and nothing else: the build puts the file's name in its place (see chunk-files.ts)
 *
 * @example const loadMenu = loadChunk(() => import("../primitives/menu.tsx"));
 */
export function loadChunk<T>(load: (query: string) => Promise<T>): Chunk<T> {
  const loadOnce = onceLoaded(load);
  const { promise: arrived, resolve } = Promise.withResolvers<T>();
  const call = () => {
    const loading = loadOnce();
    // The caller handles the failure.
    loading.then(resolve, () => undefined);
    return loading;
  };
  return Object.assign(call, { arrived: () => arrived });
}
