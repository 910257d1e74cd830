/**
 * A chunk that loads at the first call, once. After a failure the next call loads it again at another address, since
 * browsers cache the failure of a module's address for the life of the page.
 *
 * @param load `() => import("…")` and nothing else: the build adds the query to the address (see chunk-queries.ts)
 *
 * @example const loadMenu = loadChunk(() => import("../primitives/menu.tsx"));
 */
export function loadChunk<T>(load: (query: string) => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  let query = "";
  return () =>
    (loading ??= load(query).catch((error: unknown) => {
      loading = undefined;
      query += "?";
      throw error;
    }));
}
