/** The search in the list of threads. This code loads with the search field. */
import { beginSearch, endSearch, failSearch } from "../store/thread-search.ts";
import { SEARCH_PAUSE_MS } from "../timings.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf } from "./action-context.ts";

/** Asks the backend when the visitor has stopped typing. Only the response to the last query counts. */
export async function searchThreads(context: ActionContext, query: string): Promise<void> {
  const { store, transport, after } = context;
  store.set((state) => beginSearch(state, query));
  const { search } = store.get().threads;
  if (search?.load.status !== "loading") return;
  await new Promise<void>((resolve) => after(SEARCH_PAUSE_MS, resolve));
  if (store.get().threads.search !== search) return;
  try {
    const hits = await transport.listThreads({ query: query.trim() });
    store.set((state) => endSearch(state, search, hits));
  } catch (error) {
    if (store.get().threads.search !== search) return;
    const failure = failureOf(context, error);
    store.set((state) => failSearch(state, search, failure));
  }
}
