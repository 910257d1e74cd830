/**
 * A part of the widget's code that loads when it is first asked for, once. A load that failed is tried again by the next
 * asking, at another address: browsers keep the failure of a module's address for as long as the page lives.
 *
 * @param load `() => import("…")` and nothing else: the build adds the query to its address (see chunk-queries.ts)
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
