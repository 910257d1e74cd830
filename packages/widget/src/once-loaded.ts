/**
 * Loads a file at the first call, once. After a failure the next call loads it at another address, by a longer query:
 * Firefox and Safari remember for the life of a page that a module's address failed. Chromium 156 asks again.
 */
export function onceLoaded<T>(load: (query: string) => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  let query = "";
  return () =>
    (loading ??= load(query).catch((error: unknown) => {
      loading = undefined;
      query += "?";
      throw error;
    }));
}
