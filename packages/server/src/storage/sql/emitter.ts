/** A set of listeners. One that throws costs the others nothing. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called with what a listener throws */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (value: T) => void): () => void {
    // Wrapped, so that a function that is subscribed twice can be unsubscribed once.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  emit(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
