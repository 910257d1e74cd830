/** What the visitor searches the list for. */
import type { Thread } from "@nitka/protocol";
import type { ChatState, Failure, ThreadSearch } from "./state.ts";

/** Another query. What was found before stays until it is answered; one without words ends the search. */
export function beginSearch(state: ChatState, query: string): ChatState {
  const { search: before, ...threads } = state.threads;
  if (query.trim() === "") return before ? { ...state, threads } : state;
  const isAnswered = before?.load.status === "ready" && before.query.trim() === query.trim();
  const load = isAnswered ? before.load : ({ status: "loading" } as const);
  return { ...state, threads: { ...threads, search: { query, load, hits: before?.hits ?? [] } } };
}

/** What was found. Does nothing where the visitor searches for something else by now. */
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
