/** Who listens, and how to tell them. A listener that throws is the caller's fault and hinders no other. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();

  /** Returns its stop. */
  subscribe(listener: (value: T) => void): () => void {
    // Wrapped, so that the same function may listen twice and be stopped once.
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
