/** When a run last showed that it is at work, and what explains that it does not. */
export class SignsOfLife {
  /** A time of `performance.now()`. The model is not silent before it is asked. */
  lastAt: number | undefined;
  /** How many tool calls wait for the visitor. */
  #pauses = 0;
  /** How many calls to our own storage the model waits for. */
  #storageCalls = 0;

  /** Whether a tool call waits for the visitor: the model cannot go on, so it is not silent. */
  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** Whether the model waits for our own storage. */
  get awaitsStorage(): boolean {
    return this.#storageCalls > 0;
  }

  /** There is an event, the model begins a request, or its upstream has sent a line: its silence counts from now on. */
  note(): void {
    this.lastAt = performance.now();
  }

  /** Pauses the run while a tool call waits for the visitor. Returns what ends the pause. */
  pause(): () => void {
    this.#pauses += 1;
    return () => {
      this.#pauses -= 1;
      this.note();
    };
  }

  /** Does what the model waits for with our own storage. The time that it takes is not the model's silence if it succeeds. */
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
