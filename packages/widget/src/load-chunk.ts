import { onceLoaded } from "./once-loaded.ts";

/** A chunk of the build, which loads at the first call, once. */
export interface Chunk<T> {
  (): Promise<T>;
  /** Resolves when the chunk has loaded, whichever call has loaded it. Never rejects. What waits for it stays in memory. */
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
    // The caller hears of a failure.
    loading.then(resolve, () => undefined);
    return loading;
  };
  return Object.assign(call, { arrived: () => arrived });
}
