import type { Store } from "./create-store.ts";

/** Calls back with a value of the state whenever it has changed. Returns a function that ends that. */
export function watchValue<S, T>(
  store: Store<S>,
  select: (state: S) => T,
  onChange: (value: T) => unknown,
): () => void {
  let last = select(store.get());
  return store.subscribe(() => {
    const value = select(store.get());
    if (value !== last) onChange((last = value));
  });
}
