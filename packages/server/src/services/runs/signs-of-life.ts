/** The time of a run's last activity, and the reasons that excuse its silence. */
export class SignsOfLife {
  /** A time of `performance.now()`; `undefined` until the model is asked, since it is not silent before. */
  lastAt: number | undefined;
  /** The number of tool calls that wait for the visitor. */
  #pauses = 0;
  /** The number of calls to our own storage that the model waits for. */
  #storageCalls = 0;

  /** Whether a tool call waits for the visitor. The model cannot continue then, so it does not count as silent. */
  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** Whether the model waits for our own storage. */
  get awaitsStorage(): boolean {
    return this.#storageCalls > 0;
  }

  /**
   * To be called when an event arrives, the model begins a request, or its upstream sends a line. Silence counts from
   * here.
   */
  note(): void {
    this.lastAt = performance.now();
  }

  /** Pauses the run while a tool call waits for the visitor. Returns the function that ends the pause. */
  pause(): () => void {
    this.#pauses += 1;
    return () => {
      this.#pauses -= 1;
      this.note();
    };
  }

  /**
   * Runs a call to our own storage that the model waits for. If it succeeds, its duration does not count as silence.
   */
  async store<T>(work: () => Promise<T>): Promise<T> {
    this.#storageCalls += 1;
    try {
      const result = await work();
      this.note();
      return result;
    } finally {
      this.#storageCalls -= 1;
    }
  }
}
