/** Changes of the search in the list of threads. */
import type { Thread } from "@nitka/protocol";
import type { ChatState, Failure, ThreadSearch } from "./state.ts";

/** Sets the query. Earlier results stay until the new ones arrive. A query without words ends the search. */
export function beginSearch(state: ChatState, query: string): ChatState {
  const { search: before, ...threads } = state.threads;
  if (query.trim() === "") return before ? { ...state, threads } : state;
  const isAnswered = before?.load.status === "ready" && before.query.trim() === query.trim();
  const load = isAnswered ? before.load : ({ status: "loading" } as const);
  return { ...state, threads: { ...threads, search: { query, load, hits: before?.hits ?? [] } } };
}

/** Sets the results, unless the visitor has changed the query since. */
export function endSearch(state: ChatState, search: ThreadSearch, hits: readonly Thread[]): ChatState {
  return change(state, search, { load: { status: "ready" }, hits });
}

export function failSearch(state: ChatState, search: ThreadSearch, failure: Failure): ChatState {
  return change(state, search, { load: { status: "failed", failure }, hits: [] });
}

function change(state: ChatState, search: ThreadSearch, changed: Partial<ThreadSearch>): ChatState {
  if (state.threads.search !== search) return state;
  return { ...state, threads: { ...state.threads, search: { ...search, ...changed } } };
}
