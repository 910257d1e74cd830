/** Holds the widget's state and notifies its listeners. An error of a listener is reported and does not stop the others. */
export interface Store<S> {
  get(): S;
  /**
   * Changes the state at once. Listeners are notified at once too; with the pace `"frame"` they are notified once, at the next
   * frame, for all changes of that pace.
   */
  set(change: (state: S) => S, pace?: "now" | "frame"): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
}

/**
 * Calls back at the next frame, with its time in milliseconds (monotonic, like that of `requestAnimationFrame`). `lastFrameMs`
 * is the duration, including rendering, of the last frame in which a callback was scheduled; it is absent if frames are not
 * measured. A callback that did nothing returns `false`.
 */
export type Schedule = (callback: (time: number, lastFrameMs?: number) => unknown) => void;

/**
 * A store whose state is replaced, never mutated.
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
        // The other listeners are still notified, and the caller continues.
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

/** Calls back with a value of the state whenever that value has changed. Returns a function that unsubscribes. */
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
