/** Holds the widget's state and notifies its listeners. A listener's error is reported, and ends nothing. */
export interface Store<S> {
  get(): S;
  /**
   * Changes the state at once. Listeners are called at once too, or, with the pace `"frame"`, once at the next frame for
   * all changes of that pace.
   */
  set(change: (state: S) => S, pace?: "now" | "frame"): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

/**
 * Calls back at the next frame, with its time in milliseconds (monotonic, as of `requestAnimationFrame`). `lastFrameMs` is
 * how long the last frame took in which something was scheduled, rendering included; absent where that is not measured. A
 * callback that did nothing returns `false`.
 */
export type Schedule = (callback: (time: number, lastFrameMs?: number) => unknown) => void;

/**
 * A store whose state is replaced, never changed.
 *
 * @example
 * const store = createStore({ count: 0 }, requestAnimationFrame);
 * store.set((state) => ({ count: state.count + 1 }));
 */
export function createStore<S>(initial: S, schedule: Schedule): Store<S> {
  let state = initial;
  let isDue = false;
  const listeners = new Set<() => void>();
  const notify = () => {
    isDue = false;
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        // The others hear of the change, and the caller goes on.
        reportError(error);
      }
    }
  };
  return {
    get: () => state,
    set(change, pace = "now") {
      const next = change(state);
      if (Object.is(next, state)) return;
      state = next;
      if (pace === "now") return notify();
      if (isDue) return undefined;
      isDue = true;
      return schedule(() => isDue && notify());
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

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
