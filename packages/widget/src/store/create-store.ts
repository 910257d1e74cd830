/** The widget's one state, and who listens to it. */
export interface Store<S> {
  get(): S;
  /**
   * Changes the state at once. Listeners hear of it at once too, or, when `pace` is `"frame"`, once with the next frame
   * however many such changes come before it.
   */
  set(change: (state: S) => S, pace?: "now" | "frame"): void;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}

/** Calls back once, with the next frame and its time: milliseconds that only grow. */
export type Schedule = (callback: (time: number) => void) => void;

/**
 * A store whose state is replaced, never changed.
 *
 * @example
 * const store = createStore({ count: 0 }, requestAnimationFrame);
 * store.set((state) => ({ count: state.count + 1 }));
 */
export function createStore<S>(initial: S, schedule: Schedule): Store<S> {
  let state = initial;
  let owing = false;
  const listeners = new Set<() => void>();
  const notify = () => {
    owing = false;
    for (const listener of listeners) listener();
  };
  return {
    get: () => state,
    set(change, pace = "now") {
      const next = change(state);
      if (Object.is(next, state)) return;
      state = next;
      if (pace === "now") return notify();
      if (owing) return undefined;
      owing = true;
      return schedule(() => owing && notify());
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
