/** A set of listeners. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();

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
    for (const listener of this.#listeners) listener.call(value);
  }
}
