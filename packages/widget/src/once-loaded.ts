/**
 * Loads a file once, at the first call. After a failure the next call uses another address, with a longer query: Firefox and
 * Safari remember a module's failed address as long as the page lives. Chromium 156 requests it again.
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
